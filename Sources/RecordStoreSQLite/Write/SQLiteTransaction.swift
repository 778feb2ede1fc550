import GRDB
import RecordStore
import Records

/// The write transaction on one zone of a SQLite database.
struct SQLiteTransaction: ZoneTransaction {
    let database: Database
    let zone: Int64
    let zoneName: String
    let schema: Schema
    let codec: any FieldCodec
    var state: WriterState
    /// How much this transaction changes the zone's usage.
    private(set) var growth = StoreUsage()
    /// How much this transaction changes each person's usage in the zone.
    private(set) var personGrowth: [String: StoreUsage] = [:]

    /// The ids of the tombstones that look-ups have found, by name. A new record with such a name replaces
    /// its tombstone.
    private let tombstones = TombstoneOrdinals()
    /// The types that this transaction has adapted to the schema.
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

    private final class TombstoneOrdinals {
        var ordinals: [String: Int64] = [:]
    }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        var row = try SQL(
            database, "SELECT \(RecordRow.columns) FROM record r WHERE r.zone = ? AND r.name = ?")
        row.bind(zone)
        row.bind(name)
        guard try row.step() else { return nil }
        defer { row.reset() }
        if RecordRow.isTombstone(row) {
            tombstones.ordinals[name] = RecordRow.ordinal(row)
            return nil
        }
        let type = state.catalog.names[RecordRow.type(row)] ?? ""
        return (RecordRow.record(row, zone: zoneName, type: type), RecordRow.ordinal(row))
    }

    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        try RecordRow.head(of: RecordID(name: name, zone: ZoneID(name: zoneName)), in: zone, database) {
            state.catalog.names[$0] ?? ""
        }
    }

    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int {
        var row = try SQL(database, "SELECT LENGTH(fields) FROM record WHERE id = ?")
        row.bind(ordinal)
        defer { row.reset() }
        return try row.step() ? Int(row.integer(0)) : 0
    }

    func exists(named name: String) throws -> Bool {
        var row = try SQL(database, "SELECT 1 FROM record WHERE zone = ? AND name = ? AND fields IS NOT NULL")
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step()
    }

    mutating func nextSequence() -> Int64 {
        state.sequence += 1
        return state.sequence
    }

    var usage: StoreUsage { state.usage }

    func usage(of person: String) throws -> StoreUsage {
        let before = try UsageAccount(database: database).usage(ofPerson: person)
        return before + (personGrowth[person] ?? StoreUsage())
    }

    mutating func count(_ change: StoreUsage, by creator: String) {
        growth += change
        personGrowth[creator, default: StoreUsage()] += change
        state.usage += change
    }

    mutating func insert(_ record: WrittenRecord) throws {
        let type = try prepared(record.stored.type, for: record.fields)
        try removeTombstone(of: record.stored.id.name)
        var row = try SQL(
            database,
            """
            INSERT INTO record (sequence, modified_at, parent, head, fields, id, zone, type, name, created_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        bindVersion(of: record.stored, to: &row)
        row.bind(record.ordinal)
        row.bind(zone)
        row.bind(type.id)
        row.bind(record.stored.id.name)
        row.bind(record.stored.created.at.milliseconds)
        try row.run()
        try IndexWriter(database: database, type: type).insert(record, zone: zone)
        try addBindings(record.bound, of: record.ordinal)
        try AssetOwners(database: database).own(record.stored.fields.assetChecksums, by: record.ordinal)
    }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        let type = try prepared(new.stored.type, for: new.fields)
        var row = try SQL(
            database,
            """
            UPDATE record
            SET sequence = ?, modified_at = ?, parent = ?, head = ?, fields = ?
            WHERE id = ?
            """
        )
        bindVersion(of: new.stored, to: &row)
        row.bind(new.ordinal)
        try row.run()
        try IndexWriter(database: database, type: type).update(old, to: new, zone: zone)
        try removeBindings(new.unbound, of: old.ordinal)
        try addBindings(new.bound, of: new.ordinal)
        let (owned, owning) = (old.stored.fields.assetChecksums, new.stored.fields.assetChecksums)
        let owners = AssetOwners(database: database)
        try owners.own(owning.subtracting(owned), by: new.ordinal)
        try owners.release(owned.subtracting(owning), from: old.ordinal)
    }

    /// Writes the stamps and the sequence number, without reading or encoding the fields. The new head is as
    /// long as the old one, so the row keeps its size, and SQLite writes only the pages whose bytes changed.
    mutating func touch(
        _ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64
    ) throws {
        let type = try prepared(head.type, for: Fields())
        var row = try SQL(
            database, "UPDATE record SET sequence = ?, modified_at = ?, head = ? WHERE id = ?")
        row.bind(sequence)
        row.bind(modified.at.milliseconds)
        row.bind(try touchedHead(of: ordinal, modified))
        row.bind(ordinal)
        try row.run()
        try IndexWriter(database: database, type: type)
            .touch(head, ordinal, by: modified.by, sequence: sequence, zone: zone)
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        state.deletions += 1
        let type = try prepared(old.stored.type, for: old.fields, areNew: false)
        var row = try SQL(
            database,
            """
            UPDATE record
            SET sequence = ?, modified_at = ?, parent = NULL, head = X'', fields = NULL
            WHERE id = ?
            """
        )
        row.bind(sequence)
        row.bind(state.time.milliseconds)
        row.bind(old.ordinal)
        try row.run()
        try IndexWriter(database: database, type: type).delete(old, zone: zone)
        try removeBindings(old.bindings.flatMap(\.forms), of: old.ordinal)
        try AssetOwners(database: database).release(old.stored.fields.assetChecksums, from: old.ordinal)
    }

    mutating func rebind(_ source: Int64, _ name: String, from old: Binding, to new: Binding?) throws {
        try removeBindings([old], of: source)
        if let new { try addBindings([new], of: source) }
    }

    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] {
        var rows = try SQL(
            database,
            """
            SELECT r.name
            FROM binding b
            JOIN record r ON r.id = b.source
            WHERE b.zone = ? AND b.target = ? AND b.kind = ? AND b.source > ?
            ORDER BY b.source
            LIMIT ?
            """
        )
        rows.bind(zone)
        rows.bind(target)
        rows.bind(Int64(kind.rawValue))
        rows.bind(ordinal)
        rows.bind(Int64(limit))
        var names: [String] = []
        while try rows.step() { names.append(rows.text(0)) }
        return names
    }

    func hasSources(of target: String) throws -> Bool {
        var row = try SQL(database, "SELECT 1 FROM binding WHERE zone = ? AND target = ? LIMIT 1")
        row.bind(zone)
        row.bind(target)
        defer { row.reset() }
        return try row.step()
    }

    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        var row = try SQL(
            database,
            """
            SELECT COUNT(*)
            FROM (SELECT 1 FROM binding WHERE zone = ? AND target = ? AND kind = ? LIMIT ?)
            """
        )
        row.bind(zone)
        row.bind(target)
        row.bind(Int64(kind.rawValue))
        row.bind(Int64(limit))
        defer { row.reset() }
        return try row.step() ? Int(row.integer(0)) : 0
    }
}

// MARK: - Helpers

extension SQLiteTransaction {
    /// Returns the type, adapted to the schema of the batch, with these fields in the catalog.
    ///
    /// - Parameter areNew: whether the fields are about to be saved, so that crowded ones need columns.
    private mutating func prepared(
        _ type: String, for fields: Fields, areNew: Bool = true
    ) throws -> TypeTable {
        if let table = ready[type], fields.names.allSatisfy(table.knows) { return table }
        var table =
            try ready[type]
            ?? state.catalog.prepared(
                schema.types[type] ?? TypeSchema(name: type), in: database, codec: codec
            )
        table =
            areNew
            ? try state.catalog.admitted(fields, to: table, in: database, codec: codec)
            : try state.catalog.known(fields, of: table, in: database)
        ready[type] = table
        return table
    }

    private func touchedHead(of ordinal: Int64, _ modified: Stamp) throws -> [UInt8] {
        var row = try SQL(database, "SELECT head FROM record WHERE id = ?")
        row.bind(ordinal)
        defer { row.reset() }
        return try row.step() ? RecordRow.head(row, 0).touched(modified) : []
    }

    /// Removes the tombstone of a record name that is used again.
    private func removeTombstone(of name: String) throws {
        guard let ordinal = tombstones.ordinals.removeValue(forKey: name) else { return }
        var row = try SQL(database, "DELETE FROM record WHERE id = ?")
        row.bind(ordinal)
        try row.run()
    }

    private func bindVersion(of record: StoredRecord, to row: inout SQL) {
        row.bind(record.sequence)
        row.bind(record.modified.at.milliseconds)
        row.bind(record.parent)
        row.bind(RecordHead.bytes(of: record))
        row.bind(record.fields.bytes)
    }

    private func addBindings(_ bindings: some Sequence<Binding>, of source: Int64) throws {
        for binding in bindings {
            var row = try SQL(
                database, "INSERT INTO binding (zone, target, kind, source) VALUES (?, ?, ?, ?)")
            bind(binding, source, to: &row)
            try row.run()
        }
    }

    private func removeBindings(_ bindings: some Sequence<Binding>, of source: Int64) throws {
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
}
