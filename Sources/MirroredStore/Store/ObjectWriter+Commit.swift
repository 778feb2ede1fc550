import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

extension ObjectWriter {
    /// The end of a transaction: checks the objects, and writes the history and the records.
    struct Commit {
        let writer: ReplicaWriter
        let translation: RecordTranslation
        let author: String
        let now: Date
        let isImport: Bool
        /// Whether the objects have records.
        let isMirrored: Bool
        /// Stores a long value as a file.
        let keep: (Data) throws -> Asset
    }

    /// Ends the transaction.
    ///
    /// - Throws: `MirroredStoreError` with the code `invalidValue`.
    func finish(_ commit: Commit) throws {
        var changes: [HistoryChange] = []
        for (id, old) in before.sorted(by: { $0.key < $1.key }) {
            let new = try graph.stored(id)
            if let new, !commit.isImport { try graph.layout.validate(new) }
            if let change = HistoryChange(id, from: old, to: new) { changes.append(change) }
            let base = imported[id] ?? old
            if new == nil, old == nil { continue }
            if commit.isMirrored { try export(id, from: base, to: new, commit) }
        }
        for (name, entry) in pairs.sorted(by: { $0.key < $1.key }) where commit.isMirrored {
            try commit.writer.unqueued(name) { writer, recordID in
                guard entry.isAdded else { return try writer.delete(recordID) }
                var record = ReplicaRecord(type: RecordTranslation.pairType, id: recordID)
                record.fields = commit.translation.fields(of: entry.pair)
                try writer.save(record)
            }
        }
        try graph.write(changes, by: commit.author, at: commit.now)
    }

    /// Writes the changed fields of an object's record, so that the fields that other devices changed stay.
    private func export(
        _ id: MirroredObject.ID, from old: MirroredObject?, to new: MirroredObject?, _ commit: Commit
    ) throws {
        let isRewritten = rewritten.contains(id)
        if old == new, !isRewritten { return }
        try commit.writer.unqueued(id.name) { writer, recordID in
            guard let new else { return try writer.delete(recordID) }
            let known = try writer.reader.record(recordID)
            // The record was deleted elsewhere, and its deletion is imported next.
            if known == nil, commit.isImport { return }
            let before = try known == nil || isRewritten ? nil : old.map(commit.translation.content)
            let after = try commit.translation.content(of: new)
            var record = known ?? ReplicaRecord(type: RecordTranslation.type(id.root), id: recordID)
            record.fields[RecordTranslation.entityName] = after.fields[RecordTranslation.entityName]
            for name in new.shape.toOnes.keys {
                let field = RecordTranslation.field(name)
                if before?.fields[field] != after.fields[field] || before == nil {
                    record.fields[field] = after.fields[field]
                }
            }
            for name in new.shape.kinds.keys {
                let field = RecordTranslation.field(name)
                let isSame =
                    before?.fields[field] == after.fields[field] && before?.long[name] == after.long[name]
                if isSame, before != nil { continue }
                record.fields[field] = after.fields[field]
                record.fields[RecordTranslation.twin(name)] = try after.long[name].map {
                    // Assets are never encrypted fields, in schemas of CloudKit neither.
                    Field(.asset(try commit.keep($0)))
                }
            }
            try writer.save(record)
        }
    }
}

extension ReplicaWriter {
    /// Changes a record of the mirrored zone without queueing it for import, unless it was queued before.
    func unqueued(_ name: String, _ body: (ReplicaWriter, RecordID) throws -> Void) throws {
        let sql = "SELECT EXISTS (SELECT 1 FROM mirrored_queue WHERE name = ?)"
        let wasQueued = try Bool.fetchOne(database.cachedStatement(sql: sql), arguments: [name]) ?? false
        try body(self, RecordID(name: name, zone: ZoneID(name: RecordTranslation.zone)))
        if wasQueued { return }
        try database.cachedStatement(sql: "DELETE FROM mirrored_queue WHERE name = ?")
            .execute(arguments: [name])
    }
}
