import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresStore {
    package func changes(_ request: ChangesRequest) async throws -> ChangesPage {
        let (identity, catalogs) = (identity, catalogs)
        return try await read {
            try PostgresChangeFeed(session: $0, catalogs: catalogs).page(request, identity)
        }
    }

    package func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage {
        let identity = identity
        return try await read { session in
            guard
                let head = try session.rows("SELECT sequence, horizon FROM database WHERE id = $1").first
            else { throw PostgresWriteState.missing }
            let start = try FeedPosition.start(
                of: .zones, after: token, database: identity, zone: 0, horizon: head.integer(1),
                end: head.integer(0), culprit: "database")
            let rows = try session.rows(
                """
                SELECT id, name, sequence, 0::bigint
                FROM zone
                WHERE database = $1 AND id <> 1 AND sequence > $2
                UNION ALL
                SELECT 0::bigint, name, sequence, reason
                FROM deleted_zone
                WHERE database = $1 AND sequence > $2
                ORDER BY 3
                LIMIT $3
                """,
                .integer(start.sequence), .integer(Int64(limit).addingReportingOverflow(1).partialValue))
            let changes = rows.map { row in
                ZoneChange(
                    zone: row.integer(0), named: row.text(1), sequence: row.integer(2),
                    reason: row.integer(3), identity: identity)
            }
            return ZoneChangesPage(taking: changes, limit: limit, start: start, end: head.integer(0))
        }
    }

    package func forgetDeletions(before time: Timestamp) async throws {
        try await write { session, state in
            try PostgresDeletions(session: session).forget(before: time, &state)
            return (true, ())
        }
    }
}

/// Reads a zone's changes, along the index `record_by_change`.
private struct PostgresChangeFeed {
    let session: PostgresSession
    let catalogs: PostgresCatalogCache

    func page(_ request: ChangesRequest, _ identity: Int64) throws -> ChangesPage {
        let asked = try PostgresCatalogCache.ask(session)
        let (zone, end, horizon) = try PostgresZoneTable(session: session).extent(of: request.zone)
        let types = try catalogs.catalog(asked, session).names
        let start = try request.start(in: identity, zone: zone, horizon: horizon, end: end)
        var changes = PackedChanges(zone: ZoneID(name: request.zone))
        var gauge = PageGauge(limit: request.limit, bytes: request.bytes)
        var (reached, moreComing, isAtEnd) = (start.sequence, false, false)
        while !moreComing, !isAtEnd {
            // A row after the last one that fits shows that there are more.
            let count = min(PostgresChangeRow.chunk, request.limit - gauge.count) + 1
            let rows = try rows(
                of: zone, from: reached, isReversed: request.isReversed, count, bytes: gauge.bytesLeft)
            isAtEnd = rows.count < count
            for row in rows {
                moreComing = gauge.isFull
                if moreComing { break }
                guard PostgresChangeRow.isComplete(row) else {
                    isAtEnd = false
                    break
                }
                reached = row.integer(1)
                gauge.take(bytes: PostgresChangeRow.read(row, types: types, into: &changes))
            }
        }
        return ChangesPage(
            changes, moreComing: moreComing, start: start, end: end,
            lastBatch: try PostgresClientBatches(session: session, zone: zone).answer(to: request.client))
    }

    private func rows(
        of zone: Int64, from sequence: Int64, isReversed: Bool, _ count: Int, bytes: Int
    ) throws -> PostgresRows {
        let (comparison, direction) = isReversed ? ("<", "DESC") : (">", "ASC")
        let page = PostgresChangeRow.enclosure(bytes: "$5")
        return try session.rows(
            """
            \(page.before)SELECT \(PostgresChangeRow.columns)
            FROM record r
            WHERE r.database = $1 AND r.zone = $2 AND r.sequence \(comparison) $3
            ORDER BY r.sequence \(direction)
            LIMIT $4\(page.after)
            """,
            .integer(zone), .integer(sequence), .count(count), .count(bytes))
    }
}
