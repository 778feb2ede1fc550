// Owns the primitive reads and writes of one zone inside a transaction of the engine.

import GRDB
import Records
import RecordStore

/// What the writer knows beside the file, taken back when a batch is undone.
struct WriterState: Sendable {
    var identity: Int64
    var sequence: Int64
    var time: Timestamp
    var catalog: Catalog
    /// Names to ids.
    var zones: [String: Int64]
}

/// One zone of a SQLite database, as the rules of writing see it.
struct SQLiteTransaction: ZoneTransaction {
    let database: Database
    let zone: Int64
    let zoneName: String
    let schema: Schema
    let codec: any FieldCodec
    var state: WriterState

    /// The tombstone that the last look-up found, which a record of that name replaces.
    private let grave = Grave()
    /// The types that this transaction has brought in line with the schema.
    private var ready: [String: TypeTable] = [:]

    init(
        database: Database, zone: Int64, zoneName: String, schema: Schema, codec: any FieldCodec,
        state: WriterState
    ) {
        self.database = database
        self.zone = zone
        self.zoneName = zoneName
        self.schema = schema
        self.codec = codec
        self.state = state
    }

    private final class Grave {
        var name = ""
        var ordinal: Int64?
    }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        var row = try SQL(database, "SELECT \(RecordRow.columns) FROM record r WHERE r.zone = ? AND r.name = ?")
        row.bind(zone)
        row.bind(name)
        grave.name = name
        grave.ordinal = nil
        guard try row.step() else { return nil }
        defer { row.reset() }
        if RecordRow.isTombstone(row) {
            grave.ordinal = RecordRow.ordinal(row)
            return nil
        }
        let type = state.catalog.names[RecordRow.type(row)] ?? ""
        return (RecordRow.record(row, zone: zoneName, type: type), RecordRow.ordinal(row))
    }

    mutating func nextSequence() -> Int64 {
        state.sequence += 1
        return state.sequence
    }

    mutating func insert(_ record: WrittenRecord) throws {
        let type = try prepared(record.stored.type)
        try dig(up: record.stored.id.name)
        var row = try SQL(
            database,
            """
            INSERT INTO record (zone, type, sequence, modified_at, modified_by, modified_on, parent, fields,
                asset_slots, id, name, created_at, created_by, created_on)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        row.bind(zone)
        row.bind(type.id)
        bindVersion(of: record.stored, to: &row)
        row.bind(record.ordinal)
        row.bind(record.stored.id.name)
        row.bind(record.stored.created.at.milliseconds)
        row.bind(record.stored.created.by)
        row.bind(record.stored.created.device)
        try row.run()
        try IndexWriter(database: database, type: type).insert(record, zone: zone)
        try addBindings(record.bindings, of: record.ordinal)
        try own(record.stored.fields.assetChecksums, by: record.ordinal)
    }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        let type = try prepared(new.stored.type)
        var row = try SQL(
            database,
            """
            UPDATE record
            SET sequence = ?, modified_at = ?, modified_by = ?, modified_on = ?, parent = ?, fields = ?,
                asset_slots = ?
            WHERE id = ?
            """
        )
        bindVersion(of: new.stored, to: &row)
        row.bind(new.ordinal)
        try row.run()
        try IndexWriter(database: database, type: type).update(old, to: new, zone: zone)
        let (before, after) = (old.bindings, new.bindings)
        try removeBindings(before.subtracting(after), of: old.ordinal)
        try addBindings(after.subtracting(before), of: new.ordinal)
        let (owned, owning) = (old.stored.fields.assetChecksums, new.stored.fields.assetChecksums)
        try own(owning.subtracting(owned), by: new.ordinal)
        try release(owned.subtracting(owning), from: old.ordinal)
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        let type = try prepared(old.stored.type)
        var row = try SQL(
            database,
            """
            UPDATE record
            SET fields = NULL, asset_slots = NULL, parent = NULL, sequence = ?, modified_at = ?
            WHERE id = ?
            """
        )
        row.bind(sequence)
        row.bind(state.time.milliseconds)
        row.bind(old.ordinal)
        try row.run()
        try IndexWriter(database: database, type: type).delete(old, zone: zone)
        try removeBindings(old.bindings, of: old.ordinal)
        try release(old.stored.fields.assetChecksums, from: old.ordinal)
    }

    func sources(of target: String, kind: BindingKind, limit: Int) throws -> [String] {
        var rows = try SQL(
            database,
            """
            SELECT r.name
            FROM binding b
            JOIN record r ON r.id = b.source
            WHERE b.zone = ? AND b.target = ? AND b.kind = ?
            ORDER BY b.source
            LIMIT ?
            """
        )
        rows.bind(zone)
        rows.bind(target)
        rows.bind(Int64(kind.rawValue))
        rows.bind(Int64(limit))
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0)) }
        return names
    }
}

// MARK: - Parts of a write

extension SQLiteTransaction {
    /// The type's tables, in line with the schema of the batch.
    private mutating func prepared(_ type: String) throws -> TypeTable {
        if let table = ready[type] { return table }
        let table = try state.catalog.prepared(
            schema.types[type] ?? TypeSchema(name: type), in: database, codec: codec
        )
        ready[type] = table
        return table
    }

    /// Removes the tombstone of a name that is used again.
    private func dig(up name: String) throws {
        guard grave.name == name, let ordinal = grave.ordinal else { return }
        var row = try SQL(database, "DELETE FROM record WHERE id = ?")
        row.bind(ordinal)
        try row.run()
    }

    private func bindVersion(of record: StoredRecord, to row: inout SQL) {
        row.bind(record.sequence)
        row.bind(record.modified.at.milliseconds)
        row.bind(record.modified.by)
        row.bind(record.modified.device)
        row.bind(record.parent)
        row.bind(record.fields.bytes)
        row.bind(RecordRow.text(of: record.fields.assetSlots))
    }

    private func addBindings(_ bindings: Set<Binding>, of source: Int64) throws {
        for binding in bindings {
            var row = try SQL(database, "INSERT INTO binding (zone, target, kind, source) VALUES (?, ?, ?, ?)")
            bind(binding, source, to: &row)
            try row.run()
        }
    }

    private func removeBindings(_ bindings: Set<Binding>, of source: Int64) throws {
        for binding in bindings {
            var row = try SQL(
                database, "DELETE FROM binding WHERE zone = ? AND target = ? AND kind = ? AND source = ?"
            )
            bind(binding, source, to: &row)
            try row.run()
        }
    }

    private func bind(_ binding: Binding, _ source: Int64, to row: inout SQL) {
        row.bind(zone)
        row.bind(binding.target)
        row.bind(Int64(binding.kind.rawValue))
        row.bind(source)
    }

    private func own(_ checksums: Set<String>, by record: Int64) throws {
        for checksum in checksums {
            var row = try SQL(database, "INSERT INTO asset_owner (checksum, record) VALUES (?, ?)")
            row.bind(checksum)
            row.bind(record)
            try row.run()
        }
    }

    private func release(_ checksums: Set<String>, from record: Int64) throws {
        for checksum in checksums {
            var row = try SQL(database, "DELETE FROM asset_owner WHERE checksum = ? AND record = ?")
            row.bind(checksum)
            row.bind(record)
            try row.run()
            var released = try SQL(
                database,
                """
                INSERT OR IGNORE INTO released_asset (checksum)
                SELECT ?1
                WHERE NOT EXISTS (SELECT 1 FROM asset_owner WHERE checksum = ?1)
                """
            )
            released.bind(checksum)
            try released.run()
        }
    }
}
