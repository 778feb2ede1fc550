import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresStore {
    package func apply(_ batch: WriteBatch) async throws -> BatchAnswer {
        try await write(for: batch.stamp.by, weight: batch.weight) { [self] session, state in
            let zone = try state.id(ofZone: batch.zone, session)
            var batch = batch
            batch.stamp.at = max(batch.stamp.at, state.time)
            state.time = batch.stamp.at
            let before = state.sequence
            var transaction = PostgresTransaction(
                session: session, zone: zone, zoneName: batch.zone, schema: batch.schema, codec: codec,
                state: state)
            let writer = notificationWriter(session)
            try transaction.readAhead(batch.operations.compactMap(\.recordName))
            let outcome = try BatchRules(codec: codec).apply(
                batch, to: &transaction, telling: subscriptions, identity: state.identity,
                sequence: { $0.state.sequence }
            ) { drafts, transaction in try writer.keep(drafts, &transaction.state) }
            state = transaction.state
            state.keep(transaction.shares, ofZone: batch.zone)
            if !outcome.mustUndo || batch.isTrial, state.sequence > before {
                state.note(transaction.growth, transaction.personGrowth, inZone: batch.zone)
            }
            let token = batch.wantsToken ? state.token(ofZone: batch.zone) : nil
            if outcome.mustUndo { return (false, BatchAnswer(results: outcome.results, token: token)) }
            try PostgresClientBatches(session: session, zone: zone)
                .remember(batch, outcome.results, at: state.sequence)
            let deletions = PostgresDeletions(session: session)
            try deletions.forgetSurplus(keeping: batch.limits.deletionsPerDatabase, &state)
            try deletions.forgetSurplusLeavings(keeping: batch.limits.deletionsPerDatabase, &state)
            return (true, BatchAnswer(results: outcome.results, token: token))
        }
    }

    package func lookup(
        _ names: [String], in zone: String, atMost bytes: Int, wantsToken: Bool,
        take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken? {
        let (found, end) = try await found(in: zone) { reader in
            try reader.ask(names, atMost: bytes)
        } take: { reader, rows in
            try reader.records(rows, atMost: bytes)
        }
        for name in names { try take(found[name]) }
        if !wantsToken || zone == ZoneID.defaultName { return nil }
        return Zone(named: zone, id: end.zone, sequence: end.sequence, identity: identity).syncToken
    }

    /// Records by their names, and the id of their zone with the number of its last change.
    private typealias Found = (records: [String: StoredRecord], end: (zone: Int64, sequence: Int64))

    /// Reads records of a zone. This takes one round trip if the id of the zone is the one that was last
    /// seen.
    private func found(
        in name: String, ask: @escaping @Sendable (PostgresRecordReader) throws -> PostgresAnswer,
        take: @escaping @Sendable (PostgresRecordReader, PostgresRows) throws -> [String: StoredRecord]
    ) async throws -> Found {
        if let known = catalogs.known(zone: name) {
            let found = try await readAtOnce { session in
                let extent = try PostgresZoneTable(session: session).askExtent(of: name)
                let reader = PostgresRecordReader(session: session, zone: known, zoneName: name)
                return (extent: extent, reader: reader, rows: try ask(reader))
            } take: { answers -> Found? in
                guard let extent = try answers.extent.rows().first, extent.integer(0) == known else {
                    return nil
                }
                let records = try take(answers.reader, answers.rows.rows())
                return (records, (known, extent.integer(1)))
            }
            if let found { return found }
        }
        let catalogs = catalogs
        return try await read { session in
            let (id, end, _) = try PostgresZoneTable(session: session).extent(of: name)
            catalogs.note(zone: name, id: id)
            let reader = PostgresRecordReader(session: session, zone: id, zoneName: name)
            return (try take(reader, ask(reader).rows()), (id, end))
        }
    }

    package func heads(named names: [String], in zone: String) async throws -> [StoredRecord?] {
        let found = try await found(in: zone) { reader in
            try reader.askHeads(names)
        } take: { reader, rows in
            reader.records(rows)
        }
        return names.map { found.records[$0] }
    }

    // MARK: Usage and files

    package func usage() async throws -> StoreUsage {
        try await read { try PostgresUsageAccount(session: $0).usage() }
    }

    package func usage(of person: String) async throws -> StoreUsage {
        try await read { try PostgresUsageAccount(session: $0).usage(of: person) }
    }

    package func usage(ofZones names: [String]) async throws -> [String: StoreUsage] {
        try await read { try PostgresUsageAccount(session: $0).usage(ofZones: names) }
    }

    package func creators(
        in zone: String, after last: CreatorUsage?, limit: Int
    ) async throws -> [CreatorUsage] {
        try await read {
            try PostgresUsageAccount(session: $0).creators(inZone: zone, after: last, limit: limit)
        }
    }

    package func space(ofTypes names: [String]) async throws -> [String: TypeSpace]? {
        // The entries of all databases share the tables of the engine, which does not count them.
        nil
    }

    package func usesAsset(_ fileChecksum: String) async throws -> Bool {
        try await read { try PostgresAssetOwners(session: $0).own(fileChecksum) }
    }

    package func assets(
        of fileChecksums: Set<String>, createdBy person: String
    ) async throws -> Set<String> {
        try await read { try PostgresAssetOwners(session: $0).owned(fileChecksums, createdBy: person) }
    }

    package func assets(
        of fileChecksums: [String: Set<String>], inZone zone: String
    ) async throws -> [String: Set<String>] {
        try await read { session in
            let (id, _, _) = try PostgresZoneTable(session: session).extent(of: zone)
            return try PostgresAssetOwners(session: session).owned(fileChecksums, in: id)
        }
    }

    package func releasedAssets(limit: Int) async throws -> [String] {
        try await read { try PostgresAssetOwners(session: $0).released(limit: limit) }
    }

    package func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws {
        if fileChecksums.isEmpty { return }
        try await write { session, _ in
            try PostgresAssetOwners(session: session)
                .forgetReleased(fileChecksums, thatAreOwned: thatAreOwned)
            return (true, ())
        }
    }

    // MARK: Schema

    package func prepare(_ types: [TypeSchema]) async throws {
        let codec = codec
        for schema in types {
            try await write { session, state in
                _ = try state.catalog.prepared(schema, in: session, codec: codec)
                return (true, ())
            }
        }
    }

    package func dropIndexes(notIn schema: Schema) async throws -> Int64? {
        // The space of deleted rows becomes free only later, when the engine vacuums the tables. An index can
        // have an entry of each record.
        try await write(weight: WriteGroup.heavyWeight) { session, state in
            for name in state.catalog.types.keys.sorted() {
                try state.catalog.dropIndexes(of: name, notIn: schema.types[name], in: session)
            }
            return (true, ())
        }
        return nil
    }
}

/// Reads records of a zone by their names.
struct PostgresRecordReader {
    let session: PostgresSession
    let zone: Int64
    let zoneName: String

    /// Asks for the records that exist. PostgreSQL knows the length of a large value without reading it.
    func ask(_ names: [String], atMost bytes: Int) throws -> PostgresAnswer {
        try session.ask(
            """
            SELECT r.name, t.name, r.sequence, r.head,
                CASE WHEN SUM(octet_length(r.fields)) OVER () <= $4 THEN r.fields END
            \(Self.source)
            """,
            .integer(zone), .texts(names), .count(bytes))
    }

    /// Returns the records of an answer by their names. Throws `limitExceeded` if they have more than `bytes`
    /// bytes of fields.
    func records(_ rows: PostgresRows, atMost bytes: Int) throws -> [String: StoredRecord] {
        if rows.first?.isNull(4) == true { throw RecordError.answerTooLarge(limit: bytes) }
        return records(rows)
    }

    /// Asks for the records that exist, without their fields.
    func askHeads(_ names: [String]) throws -> PostgresAnswer {
        try session.ask(
            """
            SELECT r.name, t.name, r.sequence, r.head, NULL::bytea
            \(Self.source)
            """,
            .integer(zone), .texts(names))
    }

    /// Returns the records that exist, by their names, without their fields.
    func heads(_ names: [String]) throws -> [String: StoredRecord] { records(try askHeads(names).rows()) }

    private static let source = """
        FROM \(named)
        JOIN record_type t ON t.database = $1 AND t.id = r.type
        WHERE r.fields IS NOT NULL
        """

    /// The records `r` of the zone `$2` with the names `$3`, and tombstones, each with one look-up in the
    /// index of names. The two inequalities and `ORDER BY` make the engine use this index, and read no
    /// further than the name. With an equality, an engine that expects few records in the zone, because it
    /// has no statistics yet or those of many small databases, may choose another index, and read the whole
    /// zone. Without the upper bound, it would read on to the next record after a name that does not exist,
    /// over the entries of deleted ones, or even read and sort the rest of the zone.
    static let named = """
        (SELECT DISTINCT name FROM unnest($3::text[]) AS wanted (name)) AS wanted
        JOIN LATERAL (
            SELECT *
            FROM record
            WHERE database = $1 AND zone = $2 AND name >= wanted.name AND name <= wanted.name
            ORDER BY name
            LIMIT 1
        ) AS r ON TRUE
        """

    /// The record `r` of the zone `$2` with the name `$3`, or its tombstone, found as `named` finds several.
    static let one = """
        (
            SELECT *
            FROM record
            WHERE database = $1 AND zone = $2 AND name >= $3 AND name <= $3
            ORDER BY name
            LIMIT 1
        ) AS r
        """

    func records(_ rows: PostgresRows) -> [String: StoredRecord] {
        var found: [String: StoredRecord] = [:]
        for row in rows {
            let id = RecordID(name: row.text(0), zone: ZoneID(name: zoneName))
            found[id.name] = StoredRecord(
                id: id, type: row.text(1), head: RecordHead(row.memory(3)), fields: row.bytes(4),
                sequence: row.integer(2))
        }
        return found
    }
}
