import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresStore {
    package func memberships(of person: String) async throws -> [ShareMembership] {
        try await read { try PostgresShareTable.memberships(of: person, $0) }
    }

    package func shares(of person: String, in zone: String) async throws -> [String] {
        try await read { try PostgresShareTable.shares(of: person, in: zone, $0) }
    }

    package func shares(covering names: [String], in zone: String) async throws -> [String?] {
        try await read { session in
            let (id, _, _) = try PostgresZoneTable(session: session).extent(of: zone)
            let table = PostgresShareTable(session: session, zone: id)
            switch try PostgresShareTable.kind(table.askKind()) {
            case .none: return names.map { _ in nil }
            case .records: return try names.map { try table.share(covering: $0)?.name }
            case .zone:
                let found = try PostgresRecordReader(session: session, zone: id, zoneName: zone).heads(names)
                return names.map { found[$0] == nil ? nil : Share.zoneWideName }
            }
        }
    }

    package func isAsset(
        _ fileChecksum: String, sharedWith person: String, in zone: String
    ) async throws -> Bool {
        let identity = identity
        return try await read { session in
            let zones = PostgresZoneTable(session: session)
            guard try zones.zone(named: zone, identity: identity) != nil else { return false }
            let (id, _, _) = try zones.extent(of: zone)
            return try PostgresShareTable(session: session, zone: id).shows(fileChecksum, to: person)
        }
    }

    package func record(ofShortGUID guid: String) async throws -> RecordID? {
        try await read { session in
            try session.rows(
                """
                SELECT z.name, g.name
                FROM short_guid g
                JOIN zone z ON z.database = $1 AND z.id = g.zone
                WHERE g.database = $1 AND g.guid = $2
                """,
                .text(guid)
            ).first.map { RecordID(name: $0.text(1), zone: ZoneID(name: $0.text(0))) }
        }
    }

    package func sharedChanges(
        _ request: ChangesRequest, for person: String
    ) async throws -> ChangesPage {
        let (identity, catalogs) = (identity, catalogs)
        return try await read { session in
            let asked = try PostgresCatalogCache.ask(session)
            let rows = try PostgresZoneTable(session: session).askExtent(of: request.zone).rows()
            guard let row = rows.first else { throw RecordError.zoneNotFound(request.zone) }
            let zone = (id: row.integer(0), end: row.integer(1), horizon: row.integer(2))
            let table = PostgresShareTable(session: session, zone: zone.id)
            let types = try catalogs.catalog(asked, session).names
            let batches = PostgresClientBatches(session: session, zone: zone.id)
            return try request.sharedPage(
                of: PostgresShareTable.memberships(of: person, in: zone.id, session), in: identity,
                zone: zone, from: table, lastBatch: batches.answer(to: request.client)
            ) { item, changes in try table.add(item, types: types, to: &changes) }
        }
    }
}

extension PostgresShareTable {
    /// Adds a change for a member of shares to a page. Returns its bytes.
    fileprivate func add(
        _ item: SharedFeed.Item, types: [Int64: String], to changes: inout PackedChanges
    ) throws -> Int {
        let rows = try session.rows(
            """
            SELECT \(PostgresChangeRow.columns), TRUE, r.id
            FROM \(PostgresRecordReader.one)
            """,
            .integer(zone), .text(item.name))
        if let row = rows.first, !item.isDeletion {
            return PostgresChangeRow.read(row, types: types, into: &changes)
        }
        let record = rows.first { $0.integer(PostgresChangeRow.count) <= item.known }
        var name = item.name
        name.withUTF8 {
            changes.addDeletion(
                UnsafeRawBufferPointer($0), type: record.flatMap { types[$0.integer(0)] } ?? "",
                sequence: item.place.position)
        }
        return 0
    }
}
