import CloudSync
import Cloudlet
import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

extension ObjectWriter {
    /// What `finish` needs to check the objects of a transaction, and to write the history and the records.
    struct Commit {
        let writer: ReplicaWriter
        let translation: RecordTranslation
        let author: String
        let now: Date
        let isImport: Bool
        /// The database with which the store is mirrored; nil: the objects have no records.
        let scope: CKDatabase.Scope?
        /// The files of long values.
        let files: LocalReplica
        /// The app's rules for objects besides those of the model; nil: the objects were checked before.
        let check: (@Sendable (MirroredObject) throws -> Void)?

        /// Whether this device has the record of an object outside of shares.
        func hasRecord(_ name: String) throws -> Bool {
            try writer.reader.record(RecordID(name: name, zone: ObjectZone.home)) != nil
        }

        /// Whether a long value of a record outside of shares has not arrived on this device.
        func lacksFile(_ name: String) throws -> Bool {
            let record = try writer.reader.record(RecordID(name: name, zone: ObjectZone.home))
            return record?.fields.contains { field in
                if case .asset(let asset) = field.1.value { files.file(of: asset) == nil } else { false }
            } ?? false
        }

        /// Whether this device cannot read the value of an attribute from a record, so that the record's
        /// fields for it must stay.
        func cannotRead(_ attribute: StoreLayout.Attribute, in record: ReplicaRecord) throws -> Bool {
            let finding = try translation.value(of: attribute, in: record.fields, of: record.id.name) {
                try files.file(of: $0).map { try Data(contentsOf: $0) }
            }
            if case .known = finding { return false }
            return true
        }
    }

    /// Ends the transaction.
    ///
    /// - Throws: `MirroredStoreError` with the code `invalidValue`, `notFound`, `alreadyShared`, `notPlaced`,
    ///   `lacksFile` or `notPermitted`; and errors of the app's own check.
    func finish(_ commit: Commit) throws {
        try moveAssigned(commit)
        try assignZones(commit)
        var changes: [HistoryChange] = []
        for id in changed.keys.sorted() {
            guard let entry = changed[id] else { continue }
            let old = entry.before
            let new = try entry.isAsImported ? entry.imported : graph.stored(id)
            if let new, !commit.isImport, let check = commit.check {
                try graph.layout.validate(new)
                try check(reader.visible(new))
            }
            if let change = HistoryChange(id, from: old, to: new) { changes.append(change) }
            // An object that this transaction has created and deleted has no record.
            if new == nil, old == nil { continue }
            // Without shares, the record of an object that is as imported need not change.
            if try entry.isAsImported && !rewritten.contains(id) && !graph.hasPlaces() { continue }
            // The record of an imported object has its content already. What the import changed afterwards,
            // such as a relationship to a deleted object, is exported.
            let base = entry.imported ?? old
            if commit.scope != nil { try export(id, from: base, to: new, commit) }
        }
        if commit.scope != nil {
            for entry in pairs.sorted(by: { $0.key < $1.key }) { try export(entry.value, commit) }
        }
        try graph.write(changes, by: commit.author, at: commit.now)
    }

    /// The zone of a record; nil if an object of a shared store is in no share, or if the person may not
    /// write to the zone of an imported one.
    ///
    /// - Throws: `MirroredStoreError` with the code `notPermitted` if the app has changed an object in a zone
    ///   to which the person may not write.
    private func zone(of name: String, _ commit: Commit) throws -> ZoneID? {
        guard let zone = try graph.place(of: name) else {
            return ObjectZone.home(of: commit.scope)
        }
        if commit.scope == .private { return zone }
        if try commit.writer.reader.mayWrite(to: zone) { return zone }
        if commit.isImport { return nil }
        throw MirroredStoreError(
            .notPermitted, name, "the share \(zone.name) permits reading only",
            nextStep: "ask its owner for the permission to write")
    }

    /// Writes or deletes the record of a pair.
    private func export(_ entry: (pair: Pair, isAdded: Bool), _ commit: Commit) throws {
        let name = entry.pair.record
        let zone = try zone(of: name, commit)
        if !entry.isAdded { try graph.setPlace(name, nil) }
        guard let zone else { return }
        try commit.writer.unqueued(RecordID(name: name, zone: zone)) { writer, recordID in
            guard entry.isAdded else { return try writer.delete(recordID) }
            if !commit.isImport { try check(entry.pair) }
            let known = try writer.reader.record(recordID) ?? copyFromHome(to: recordID, commit)
            var record = known ?? ReplicaRecord(type: RecordTranslation.pairType, id: recordID)
            for (name, field) in commit.translation.fields(of: entry.pair) { record.fields[name] = field }
            try writer.save(record)
        }
    }

    /// Checks that the record of a pair can name its ends.
    private func check(_ pair: Pair) throws {
        guard let name = [pair.first, pair.second].first(where: { $0.contains(":") }) else { return }
        throw MirroredStoreError(
            .invalidValue, name,
            "a relationship with many objects on both sides cannot lead to it: a record joins the names of "
                + "two objects with a colon, and this name contains one",
            nextStep: "give the object a name without a colon")
    }

    /// Copies the record of an object or pair that has moved from `ObjectZone.home` into a share. The old
    /// record is deleted when the server has the copy. Returns nil if there is no old record.
    private func copyFromHome(to recordID: RecordID, _ commit: Commit) throws -> ReplicaRecord? {
        let old = RecordID(name: recordID.name, zone: ObjectZone.home)
        guard recordID.zone != old.zone, let record = try commit.writer.reader.record(old) else { return nil }
        try graph.leave(old)
        var copy = ReplicaRecord(type: record.type, id: recordID)
        copy.fields = record.fields
        // The receipt describes the old record as the server has it, without pending edits of this device.
        var left = record
        if let fields = try commit.writer.reader.row(old)?.serverFields { left.fields = fields }
        copy.fields[MoveReceipt.field] = Field(
            try MoveReceipt(of: left, commit.translation.secret).value())
        copy.fields[MoveReceipt.twin] = nil
        return copy
    }

    /// Writes the changed fields of an object's record, so that the fields that other devices changed stay;
    /// or deletes the record.
    ///
    /// - Parameters:
    ///   - old: the object that the record describes; nil if there was none.
    ///   - new: the object as it is stored now; nil if it was deleted.
    private func export(
        _ id: MirroredObject.ID, from old: MirroredObject?, to new: MirroredObject?, _ commit: Commit
    ) throws {
        let zone = try zone(of: id.name, commit)
        if new == nil { try graph.setPlace(id.name, nil) }
        guard let zone else { return }
        let recordID = RecordID(name: id.name, zone: zone)
        guard let new else { return try commit.writer.unqueued(recordID) { try $0.delete($1) } }

        let isRewritten = rewritten.contains(id)
        let isUnchanged = old == new && !isRewritten
        let isHome = zone == ObjectZone.home(of: commit.scope)
        // An unchanged object in a share may lack a record there, because it has just moved.
        if isUnchanged, isHome { return }
        let stored = try commit.writer.reader.record(recordID)
        let copied = try stored == nil ? copyFromHome(to: recordID, commit) : nil
        // An object in a share whose record was deleted elsewhere gets a new record.
        let isRevived = stored == nil && !isHome && !commit.isImport
        if isUnchanged, copied == nil, !isRevived { return }
        if stored == nil, try restore(new, recordID, commit) { return }

        let known = stored ?? copied
        // The record was deleted elsewhere, and its deletion is imported next.
        if known == nil, commit.isImport { return }
        let writesAll = known == nil || isRewritten
        let before = try writesAll ? nil : old.map(commit.translation.content)
        var record = known ?? ReplicaRecord(type: RecordTranslation.type(id.root), id: recordID)
        try write(new, over: before, into: &record, commit)
        try commit.writer.unqueued(recordID) { writer, _ in try writer.save(record) }
    }

    /// Restores a deleted record of an object, with the values in it that this device does not have. The
    /// record is queued for import, so that the values arrive with their files. Returns false, and changes
    /// nothing, if the app did not restore the object, or if the server has already applied the deletion.
    private func restore(_ object: MirroredObject, _ id: RecordID, _ commit: Commit) throws -> Bool {
        guard restored.contains(object.id), let row = try commit.writer.reader.row(id), row.fields == nil,
            let fields = row.serverFields
        else { return false }
        var record = ReplicaRecord(type: RecordTranslation.type(object.id.root), id: id)
        record.fields = fields
        try write(object, over: nil, into: &record, commit)
        try commit.writer.save(record)
        return true
    }

    /// Sets the fields of a record in which an object differs from its earlier content.
    ///
    /// - Parameter before: the earlier content; nil sets all fields.
    private func write(
        _ new: MirroredObject, over before: RecordTranslation.Content?, into record: inout ReplicaRecord,
        _ commit: Commit
    ) throws {
        let after = try commit.translation.content(of: new)
        record.fields[RecordTranslation.entityName] = after.fields[RecordTranslation.entityName]
        for name in new.shape.toOnes.keys {
            let field = RecordTranslation.field(name)
            if before?.fields[field] != after.fields[field] || before == nil {
                record.fields[field] = after.fields[field]
            }
        }
        for attribute in try graph.layout.entity(new.entity).attributes {
            let name = attribute.name
            let (field, twin) = (RecordTranslation.field(name), RecordTranslation.twin(name))
            let isSame =
                before?.fields[field] == after.fields[field] && before?.long[name] == after.long[name]
            if isSame, before != nil { continue }
            // A value that this device cannot read stays in a record that is written again or restored.
            let keepsUnread =
                rewritten.contains(new.id) || restored.contains(new.id) && new.values[name] == nil
            if keepsUnread, try commit.cannotRead(attribute, in: record) { continue }
            record.fields[field] = after.fields[field]
            record.fields[twin] = nil
            guard let long = after.long[name] else { continue }
            let (file, beside) = try commit.translation.file(of: long, attribute, of: new)
            record.fields[field] = beside
            record.fields[twin] = Field(.asset(try commit.files.keepFile(content: file)))
        }
    }
}

extension ReplicaWriter {
    /// Changes a record without queueing it for import, unless it was queued before.
    func unqueued(_ id: RecordID, _ body: (ReplicaWriter, RecordID) throws -> Void) throws {
        let queued = """
            FROM mirrored_queue
            WHERE name = ?
                AND zone = (SELECT id FROM zone WHERE zone.name = ? AND zone.owner = ?)
            """
        let arguments: StatementArguments = [id.name, id.zone.name, id.zone.owner ?? ""]
        let wasQueued = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 \(queued))"), arguments: arguments)
        try body(self, id)
        if wasQueued == true { return }
        try database.cachedStatement(sql: "DELETE \(queued)").execute(arguments: arguments)
    }
}

extension ReplicaReader {
    /// Whether the person may change the records of a share of another person.
    func mayWrite(to zone: ZoneID) throws -> Bool {
        guard let share = try participants(of: ObjectZone.shareID(of: zone)) else { return false }
        return share.currentUserParticipant?.permission == .readWrite || share.publicPermission == .readWrite
    }
}
