import Cloudlet
import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// Stores a batch of queued records as objects.
struct RecordImport {
    let writer: ReplicaWriter
    let objects: ObjectWriter
    let translation: RecordTranslation
    let now: Date
    /// The database whose records these are.
    let scope: CKDatabase.Scope
    /// The content of an asset; nil if its file is not on this device.
    let file: (Asset) throws -> Data?

    private var database: Database { writer.database }

    /// A queued record.
    struct Entry {
        var zone: Int64
        var zoneID: ZoneID
        var name: String
        var type: String
        var record: ReplicaRecord?
    }

    /// Imports the next records. Returns their number; 0: the queue is empty.
    func run(limit: Int) throws -> Int {
        let entries = try next(limit: limit)
        var done = try RowStatement(database, "DELETE FROM mirrored_queue WHERE zone = ? AND name = ?")
        for entry in entries {
            done.bind(entry.zone)
            done.bind(entry.name)
            try done.run()
        }
        try store(entries)
        return entries.count
    }

    /// Imports the changed records of a page. Returns their number.
    ///
    /// - Parameters:
    ///   - versions: records of the page, which was applied in the same transaction.
    ///   - unqueued: the names of those that are not in the queue, but are to be imported.
    func run(
        _ versions: some Collection<ServerVersion>, unqueued: Set<String>, in zone: ZoneID
    ) throws -> Int {
        guard let number = try writer.reader.number(of: zone) else { return 0 }
        let edited = try writer.reader.pendingNames(in: zone)
        var changed = versions.filter { unqueued.contains($0.id.name) }
        // If the queue is empty and none of these has an edit, they are all that is to be imported.
        // Otherwise they are queued too, and the queue tells which can be imported.
        if try changed.contains(where: { edited.contains($0.id.name) }) || writer.reader.hasQueue() {
            try writer.enqueue(changed.map(\.id.name), in: zone)
            let names = try take(versions.map(\.id.name).filter { !edited.contains($0) }, in: number)
            changed = versions.filter { names.contains($0.id.name) }
        }
        // Without edits of this device, the fields are those of the page.
        let entries = changed.map { version in
            Entry(
                zone: number, zoneID: zone, name: version.id.name, type: version.type,
                record: ReplicaRecord(type: version.type, id: version.id, fields: version.fields))
        }
        try store(entries)
        return entries.count
    }

    /// Removes records from the queue. Returns the names of those that were in it and can be imported now.
    private func take(_ names: [String], in zone: Int64) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(
                sql: """
                    DELETE FROM mirrored_queue
                    WHERE zone = ?
                        AND name IN (SELECT value FROM json_each(?))
                        AND lacks_file = 0
                        AND is_held = 0
                    RETURNING name
                    """),
            arguments: [zone, try ReplicaWriter.list(names)])
    }

    private func store(_ entries: [Entry]) throws {
        for entry in entries where entry.record != nil {
            try objects.graph.note(entry.name, isDeleted: false)
        }
        for entry in entries {
            if try objects.graph.hasRows(in: .refusals) {
                try database.cachedStatement(sql: "DELETE FROM mirrored_refusal WHERE name = ?")
                    .execute(arguments: [entry.name])
            }
            do {
                try store(entry)
            } catch let error as MirroredStoreError
                where error.code == .invalidValue || error.code == .unknownName
            {
                // A refused record does not occupy its name.
                if try objects.graph.type(of: entry.name) == nil {
                    try objects.graph.setPlace(entry.name, nil)
                }
                try refuse(entry, error)
            }
        }
    }

    /// The queued records that can be imported now, in SQL.
    static let importable = """
        mirrored_queue AS queue
        JOIN zone ON zone.id = queue.zone
        WHERE queue.lacks_file = 0
            AND \(ObjectZone.condition)
            AND (queue.is_held = 0 OR zone.owner <> '' OR zone.name <> '\(ObjectZone.home.name)')
        """

    private func next(limit: Int) throws -> [Entry] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(
                sql: """
                    SELECT queue.*, record.type, record.fields
                    FROM (
                        SELECT queue.zone, queue.name, queue.type, zone.name AS zone_name, zone.owner
                        FROM \(Self.importable)
                        LIMIT ?
                    ) AS queue
                    LEFT JOIN record
                        ON record.zone = queue.zone AND record.name = queue.name AND record.fields IS NOT NULL
                    """),
            arguments: [limit])
        var entries: [Entry] = []
        while let row = try rows.next() {
            let owner: String = row[4]
            let zone = ZoneID(name: row[3], owner: owner.isEmpty ? nil : owner)
            let id = RecordID(name: row[1], zone: zone)
            let type: String? = row[5]
            let record = try type.map {
                ReplicaRecord(type: $0, id: id, fields: try FieldCoding.fields(row[6], of: id.name))
            }
            entries.append(
                Entry(zone: row[0], zoneID: zone, name: id.name, type: type ?? row[2], record: record))
        }
        return entries
    }

    private func store(_ entry: Entry) throws {
        guard try isCurrent(entry) else { return }
        if entry.type == RecordTranslation.pairType {
            guard let record = entry.record else {
                try objects.graph.setPlace(entry.name, nil)
                return try objects.replacePair(entry.name, by: nil)
            }
            return try storePair(record)
        }
        // Records of other types, such as shares, are not objects.
        guard entry.type.hasPrefix("CD_") else { return }
        let id = MirroredObject.ID(root: String(entry.type.dropFirst(3)), name: entry.name)
        guard translation.layout.roots.contains(id.root) else {
            if entry.record == nil { return }
            throw MirroredStoreError(
                .unknownName, entry.type, "the model has no entity for this type", nextStep: "update the app")
        }
        guard let record = entry.record else {
            try requeueRefused(entry)
            return try objects.delete(id, isImport: true)
        }
        try storeObject(record, id, entry)
    }

    private func storeObject(_ record: ReplicaRecord, _ id: MirroredObject.ID, _ entry: Entry) throws {
        let reading = try translation.reading(
            of: record.fields, type: record.type, name: id.name, before: { try objects.graph.stored(id) },
            file: file)
        try objects.put(imported: reading.object)
        for name in reading.object.targets.keys.sorted() {
            // Whether it was deleted comes first: mostly no object was, and then nothing is looked up.
            guard let target = reading.object.target(name), try objects.graph.isDeleted(target.name),
                try !objects.graph.has(target)
            else { continue }
            try objects.assign(nil, to: name, of: id)
        }
        if !reading.lacking.isEmpty {
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO mirrored_queue (zone, name, type, lacks_file)
                    VALUES (?, ?, ?, 1)
                    """,
                arguments: [entry.zone, entry.name, entry.type])
        } else if try needsRewrite(record, reading.object) {
            objects.rewritten.insert(id)
        }
    }

    /// Whether a merge left both fields of an attribute, or more bytes than a record may have.
    private func needsRewrite(_ record: ReplicaRecord, _ object: MirroredObject) throws -> Bool {
        var (bytes, hasAsset) = (0, false)
        for field in record.fields.values {
            bytes += field.value.contentBytes ?? 0
            if case .asset = field.value { hasAsset = true }
        }
        if bytes > translation.recordBytes { return true }
        // Few records have assets, and without one there is no second field.
        guard hasAsset else { return false }
        return try translation.layout.entity(object.entity).attributes.contains { attribute in
            attribute.hasAssetTwin && record.fields[RecordTranslation.twin(attribute.name)] != nil
                && !translation.isInFile(
                    attribute, beside: record.fields[RecordTranslation.field(attribute.name)]?.value)
        }
    }

    private func storePair(_ record: ReplicaRecord) throws {
        let (pair, ends) = try translation.pair(record.fields, name: record.id.name)
        let isDangling = try ends.contains { end in
            try objects.graph.isDeleted(end.name) && !objects.graph.has(end)
        }
        try objects.replacePair(pair.record, by: isDangling ? nil : pair)
        // The record of the pair is deleted too.
        if isDangling { try objects.remove(pair) }
    }

    /// Queues the records that were refused because the object that is now deleted had their name.
    private func requeueRefused(_ entry: Entry) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR IGNORE INTO mirrored_queue (zone, name, type)
                SELECT zone, name, type
                FROM record
                WHERE name = :name
                    AND zone <> :zone
                    AND fields IS NOT NULL
                    AND zone IN (SELECT id FROM zone)
                    AND NOT EXISTS (SELECT 1 FROM mirrored_leaving WHERE name = record.name)
                """
        ).execute(arguments: ["name": entry.name, "zone": entry.zone])
    }

    /// Stores that a record breaks a rule of the model.
    func refuse(_ entry: Entry, _ error: MirroredStoreError) throws {
        objects.graph.noteRow(in: .refusals)
        try database.execute(
            sql: "INSERT OR REPLACE INTO mirrored_refusal VALUES (?, ?, ?, ?, ?)",
            arguments: [
                entry.name, entry.type, Timestamp(now).milliseconds, error.culprit, error.reason,
            ])
    }
}

extension ReplicaWriter {
    /// Queues records for import, as the trigger does.
    func enqueue(_ names: some Collection<String>, in zone: ZoneID) throws {
        guard !names.isEmpty, let number = try reader.number(of: zone) else { return }
        try database.cachedStatement(
            sql: """
                INSERT INTO mirrored_queue (zone, name, type)
                SELECT zone, name, type
                FROM record
                WHERE zone = ?
                    AND name IN (SELECT value FROM json_each(?))
                    AND fields IS NOT NULL
                ON CONFLICT DO UPDATE SET lacks_file = 0, is_held = 0
                """
        ).execute(arguments: [number, try Self.list(names)])
    }

    /// Names as a JSON array, for a condition in SQL.
    fileprivate static func list(_ names: some Collection<String>) throws -> String {
        String(decoding: try JSONEncoder().encode(Array(names)), as: UTF8.self)
    }
}

extension ReplicaReader {
    /// Whether the queue has records, also those that cannot be imported now.
    fileprivate func hasQueue() throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM mirrored_queue)"
        return try Bool.fetchOne(database.cachedStatement(sql: sql)) ?? false
    }

    /// Whether queued records can be imported now.
    func hasImportable() throws -> Bool {
        let sql = "SELECT EXISTS (SELECT 1 FROM \(RecordImport.importable))"
        return try Bool.fetchOne(database.cachedStatement(sql: sql)) ?? false
    }
}
