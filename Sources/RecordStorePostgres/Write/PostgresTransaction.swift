import PostgreSQLSupport
import RecordStore
import Records

/// The write transaction on one zone of a database.
struct PostgresTransaction: ZoneTransaction {
    let session: PostgresSession
    let zone: Int64
    let zoneName: String
    let schema: Schema
    let codec: any FieldCodec
    var state: PostgresWriteState
    /// Which shares the zone has.
    var shares = ZoneShares.none
    /// The change of the zone's usage in this transaction.
    private(set) var growth = StoreUsage()
    /// The change of the usage of each person in this transaction, as far as it concerns the zone.
    private(set) var personGrowth: [String: StoreUsage] = [:]
    /// Records that were read before the batch and have not changed since, by their names.
    var known: [String: PostgresKnownRecord] = [:]
    /// The types that this transaction has adapted to the schema.
    private var ready: [String: PostgresCatalogType] = [:]

    init(
        session: PostgresSession, zone: Int64, zoneName: String, schema: Schema, codec: any FieldCodec,
        state: PostgresWriteState
    ) {
        self.session = session
        self.zone = zone
        self.zoneName = zoneName
        self.schema = schema
        self.codec = codec
        self.state = state
    }

    func record(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        try found(name, "fields")
    }

    func head(named name: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        guard var head = try found(name, "''::bytea") else { return nil }
        head.stored.fields.bytes = []
        return head
    }

    private func found(_ name: String, _ fields: String) throws -> (stored: StoredRecord, ordinal: Int64)? {
        if let known = known[name] { return known.found }
        let rows = try session.rows(
            """
            SELECT id, type, sequence, head, \(fields)
            FROM \(PostgresRecordReader.one)
            WHERE fields IS NOT NULL
            """,
            .integer(zone), .text(name))
        return rows.first.map { record($0, named: name) }
    }

    /// Reads the columns `id, type, sequence, head, fields`.
    private func record(_ row: PostgresRow, named name: String) -> (stored: StoredRecord, ordinal: Int64) {
        let stored = StoredRecord(
            id: RecordID(name: name, zone: ZoneID(name: zoneName)),
            type: state.catalog.names[row.integer(1)] ?? "", head: RecordHead(row.memory(3)),
            fields: row.bytes(4), sequence: row.integer(2))
        return (stored, row.integer(0))
    }

    /// Reads ahead in one round trip: the records with these names, and which shares the zone has. Large
    /// records are left out and read one at a time.
    mutating func readAhead(_ names: [String]) throws {
        // A name that the engine cannot store is an error of its operation only.
        let names = names.filter { !$0.utf8.contains(0) }
        let known = state.shares(ofZone: zoneName)
        let kind = known == nil ? try table.askKind() : nil
        let rows = try session.rows(
            """
            SELECT r.id, r.type, r.sequence, r.head,
                CASE WHEN octet_length(r.fields) <= $4 THEN r.fields END, r.name, r.fields IS NULL
            FROM \(PostgresRecordReader.named)
            """,
            .integer(zone), .texts(names), .count(PostgresKnownRecord.maximumBytes))
        shares = try known ?? kind.map(PostgresShareTable.kind) ?? .none
        for name in names { self.known[name] = .missing }
        for row in rows {
            let name = row.text(5)
            if row.bool(6) {
                self.known[name] = .deleted
            } else {
                self.known[name] = row.isNull(4) ? nil : .record(record(row, named: name))
            }
        }
    }

    /// The engine knows the length of a large value without reading it.
    func fieldBytes(of ordinal: Int64, named name: String) throws -> Int {
        let rows = try session.rows(
            "SELECT octet_length(fields)::bigint FROM record WHERE database = $1 AND id = $2",
            .integer(ordinal))
        return Int(rows.first?.integer(0) ?? 0)
    }

    func exists(named name: String) throws -> Bool {
        if let known = known[name] { return known.found != nil }
        return try !session.rows(
            """
            SELECT 1
            FROM \(PostgresRecordReader.one)
            WHERE fields IS NOT NULL
            """,
            .integer(zone), .text(name)
        ).isEmpty
    }

    mutating func nextSequence() -> Int64 {
        state.sequence += 1
        return state.sequence
    }

    var usage: StoreUsage { state.usage }

    func usage(of person: String) throws -> StoreUsage {
        try PostgresUsageAccount(session: session).usage(of: person) + state.growth(of: person)
            + (personGrowth[person] ?? StoreUsage())
    }

    mutating func count(_ change: StoreUsage, by creator: String) {
        growth += change
        personGrowth[creator, default: StoreUsage()] += change
        state.usage += change
    }

    /// A new record replaces the tombstone of its name. The tombstone's row cannot be kept: the id is the
    /// number of the creation.
    mutating func insert(_ record: WrittenRecord) throws {
        let type = try prepared(record.stored.type, for: record.fields)
        let stored = record.stored
        if case .missing? = known.removeValue(forKey: stored.id.name) {
        } else {
            try session.run(
                """
                DELETE FROM record
                WHERE database = $1
                    AND id = (SELECT id FROM \(PostgresRecordReader.one) WHERE fields IS NULL)
                """,
                .integer(zone), .text(stored.id.name))
        }
        try session.run(
            """
            INSERT INTO record (
                database, id, zone, type, sequence, created_at, modified_at, name, created_by, modified_by,
                parent, head, fields
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            .integer(record.ordinal), .integer(zone), .integer(type.id), .integer(stored.sequence),
            .integer(stored.created.at.milliseconds), .integer(stored.modified.at.milliseconds),
            .text(stored.id.name), .text(stored.created.by), .text(stored.modified.by),
            .optional(stored.parent), .bytes(RecordHead.bytes(of: stored)), .bytes(stored.fields.bytes))
        try PostgresEntryWriter(session: session).insert(
            PostgresEntryRows(record.fields, type.fields.values), record: record.ordinal, zone: zone)
        try addBindings(record.bound, of: record.ordinal)
        try PostgresAssetOwners(session: session).own(stored.fields.assetChecksums, by: record.ordinal)
    }

    mutating func update(_ old: WrittenRecord, to new: WrittenRecord) throws {
        let type = try prepared(new.stored.type, for: new.fields)
        let stored = new.stored
        known[stored.id.name] = nil
        try session.run(
            """
            UPDATE record
            SET sequence = $3, modified_at = $4, modified_by = $5, parent = $6, head = $7, fields = $8
            WHERE database = $1 AND id = $2
            """,
            .integer(new.ordinal), .integer(stored.sequence), .integer(stored.modified.at.milliseconds),
            .text(stored.modified.by), .optional(stored.parent), .bytes(RecordHead.bytes(of: stored)),
            .bytes(stored.fields.bytes))
        let changed = type.fields.values.filter { !old.fields[$0.name].isIdentical(to: new.fields[$0.name]) }
        try PostgresEntryWriter(session: session).update(
            PostgresEntryRows(old.fields, changed), to: PostgresEntryRows(new.fields, changed),
            record: new.ordinal,
            zone: zone)
        try removeBindings(new.unbound, of: old.ordinal)
        try addBindings(new.bound, of: new.ordinal)
        let (owned, owning) = (old.stored.fields.assetChecksums, new.stored.fields.assetChecksums)
        let owners = PostgresAssetOwners(session: session)
        try owners.own(owning.subtracting(owned), by: new.ordinal)
        try owners.release(owned.subtracting(owning), from: old.ordinal)
    }

    mutating func touch(
        _ head: StoredRecord, _ ordinal: Int64, modified: Stamp, sequence: Int64
    ) throws {
        known[head.id.name] = nil
        let rows = try session.rows(
            "SELECT head FROM record WHERE database = $1 AND id = $2", .integer(ordinal))
        guard let row = rows.first else { return }
        try session.run(
            """
            UPDATE record
            SET sequence = $3, modified_at = $4, modified_by = $5, head = $6
            WHERE database = $1 AND id = $2
            """,
            .integer(ordinal), .integer(sequence), .integer(modified.at.milliseconds), .text(modified.by),
            .bytes(RecordHead(row.memory(0)).touched(modified)))
    }

    mutating func delete(_ old: WrittenRecord, sequence: Int64) throws {
        state.deletions += 1
        known[old.stored.id.name] = nil
        let type = try prepared(old.stored.type, for: old.fields)
        try session.run(
            """
            UPDATE record
            SET sequence = $3, modified_at = $4, parent = NULL, head = '', fields = NULL
            WHERE database = $1 AND id = $2
            """,
            .integer(old.ordinal), .integer(sequence), .integer(state.time.milliseconds))
        try PostgresEntryWriter(session: session).delete(
            PostgresEntryRows(old.fields, type.fields.values), record: old.ordinal)
        try removeBindings(old.bindings.flatMap(\.forms), of: old.ordinal)
        try PostgresAssetOwners(session: session).release(old.stored.fields.assetChecksums, from: old.ordinal)
    }

    mutating func rebind(_ source: Int64, _ name: String, from old: Binding, to new: Binding?) throws {
        try removeBindings([old], of: source)
        if let new { try addBindings([new], of: source) }
    }

    func sources(
        of target: String, kind: BindingKind, after ordinal: Int64, limit: Int
    ) throws -> [String] {
        try session.rows(
            """
            SELECT r.name
            FROM (
                SELECT source
                FROM binding
                WHERE database = $1 AND zone = $2 AND target = $3 AND kind = $4 AND source > $5
                ORDER BY source
                LIMIT $6
            ) AS b
            CROSS JOIN LATERAL (SELECT name FROM record WHERE database = $1 AND id = b.source LIMIT 1) AS r
            ORDER BY b.source
            """,
            .integer(zone), .text(target), .integer(Int64(kind.rawValue)), .integer(ordinal), .count(limit)
        ).map { $0.text(0) }
    }

    func hasSources(of target: String) throws -> Bool {
        try !session.rows(
            "SELECT 1 FROM binding WHERE database = $1 AND zone = $2 AND target = $3 LIMIT 1",
            .integer(zone), .text(target)
        ).isEmpty
    }

    func sourceCount(of target: String, kind: BindingKind, upTo limit: Int) throws -> Int {
        let rows = try session.rows(
            """
            SELECT COUNT(*)
            FROM (
                SELECT 1
                FROM binding
                WHERE database = $1 AND zone = $2 AND target = $3 AND kind = $4
                LIMIT $5
            ) AS sources
            """,
            .integer(zone), .text(target), .integer(Int64(kind.rawValue)), .count(limit))
        return rows.first.map { Int($0.integer(0)) } ?? 0
    }
}

// MARK: - Helpers

extension PostgresTransaction {
    /// Returns the type, adapted to the schema of the batch, with these fields in the catalog.
    private mutating func prepared(_ type: String, for fields: Fields) throws -> PostgresCatalogType {
        if let known = ready[type], fields.names.allSatisfy({ known.fields[$0] != nil }) { return known }
        var found =
            try ready[type]
            ?? state.catalog.prepared(
                schema.types[type] ?? TypeSchema(name: type), in: session, codec: codec)
        if !fields.names.allSatisfy({ found.fields[$0] != nil }) {
            found = try state.catalog.noted(fields, of: found, in: session)
        }
        ready[type] = found
        return found
    }

    private func addBindings(_ bindings: [Binding], of source: Int64) throws {
        if bindings.isEmpty { return }
        try session.run(
            """
            INSERT INTO binding (database, zone, source, target, kind)
            SELECT $1, $2, $3, b.target, b.kind
            FROM unnest($4::text[], $5::bigint[]) AS b (target, kind)
            """,
            .integer(zone), .integer(source), .texts(bindings.map(\.target)),
            .integers(bindings.map { Int64($0.kind.rawValue) }))
    }

    private func removeBindings(_ bindings: [Binding], of source: Int64) throws {
        if bindings.isEmpty { return }
        // One look-up for each. A plain join reads all bindings of the zone if most databases are small.
        try session.run(
            """
            DELETE FROM binding
            USING unnest($4::text[], $5::bigint[]) AS b (target, kind)
            CROSS JOIN LATERAL (
                SELECT f.ctid
                FROM binding f
                WHERE f.database = $1 AND f.zone = $2 AND f.target = b.target AND f.kind = b.kind
                    AND f.source = $3
                LIMIT 1
            ) AS found
            WHERE binding.database = $1 AND binding.ctid = found.ctid
            """,
            .integer(zone), .integer(source), .texts(bindings.map(\.target)),
            .integers(bindings.map { Int64($0.kind.rawValue) }))
    }
}
