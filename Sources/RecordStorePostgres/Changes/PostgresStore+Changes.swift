import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresStore {
    package func changes(_ request: ChangesRequest) async throws -> ChangesPage {
        if let page = try await changesAtOnce(request) { return page }
        let (identity, catalogs) = (identity, catalogs)
        return try await read {
            try PostgresChangeFeed(session: $0, catalogs: catalogs).page(request, identity)
        }
    }

    /// Reads a page in one round trip, with the catalog and the id of the zone as they were last seen.
    /// Returns nil if these have changed, or if the page needs another statement.
    private func changesAtOnce(_ request: ChangesRequest) async throws -> ChangesPage? {
        let (identity, catalogs) = (identity, catalogs)
        guard request.client == nil, request.limit <= PostgresChangeRow.chunk,
            let zone = catalogs.known(zone: request.zone),
            let catalog = catalogs.known,
            let start = try? request.start(in: identity, zone: zone, horizon: .min, end: .max)
        else { return nil }
        return try await readAtOnce { session in
            let feed = PostgresChangeFeed(session: session, catalogs: catalogs)
            return (
                catalog: try PostgresCatalogCache.ask(session),
                extent: try PostgresZoneTable(session: session).askExtent(of: request.zone),
                rows: try feed.askShort(zone, request, PostgresChangesPage(request, after: start.sequence))
            )
        } take: { answers -> ChangesPage? in
            guard try answers.catalog.rows().first?.integer(0) == catalog.number,
                let extent = try answers.extent.rows().first, extent.integer(0) == zone
            else { return nil }
            let end = extent.integer(1)
            let start = try request.start(in: identity, zone: zone, horizon: extent.integer(2), end: end)
            var page = PostgresChangesPage(request, after: start.sequence)
            let (count, rows) = (page.nextCount, try answers.rows.rows())
            switch page.take(rows, types: catalog.names) {
            case .untilFull: return ChangesPage(page.changes, moreComing: true, start: start, end: end)
            case .all where rows.count < count:
                return ChangesPage(page.changes, moreComing: false, start: start, end: end)
            case .all, .untilIncomplete: return nil
            }
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
        catalogs.note(zone: request.zone, id: zone)
        let types = try catalogs.catalog(asked, session).names
        let start = try request.start(in: identity, zone: zone, horizon: horizon, end: end)
        var page = PostgresChangesPage(request, after: start.sequence)
        var (taken, isAtEnd) = (PostgresChangeRow.Taken.all, false)
        while taken != .untilFull, !isAtEnd {
            let count = page.nextCount
            let rows = try ask(zone, request, page).rows()
            taken = page.take(rows, types: types)
            isAtEnd = taken == .all && rows.count < count
        }
        return ChangesPage(
            page.changes, moreComing: !isAtEnd, start: start, end: end,
            lastBatch: try PostgresClientBatches(session: session, zone: zone).answer(to: request.client))
    }

    /// Asks for the next rows of a page.
    func ask(_ zone: Int64, _ request: ChangesRequest, _ page: PostgresChangesPage) throws -> PostgresAnswer {
        let enclosure = PostgresChangeRow.enclosure(bytes: "$5")
        let rows = Self.rows(PostgresChangeRow.columns, isReversed: request.isReversed)
        return try session.ask(
            enclosure.before + rows + enclosure.after, .integer(zone), .integer(page.reached),
            .count(page.nextCount), .count(page.gauge.bytesLeft))
    }

    /// Asks for the next rows of a page, without the fields of those that have many bytes.
    func askShort(
        _ zone: Int64, _ request: ChangesRequest, _ page: PostgresChangesPage
    ) throws -> PostgresAnswer {
        let short = PostgresChangeRow.shortFields(page.gauge.bytesLeft, rows: page.nextCount)
        return try session.ask(
            Self.rows(PostgresChangeRow.columns(upTo: "$5"), isReversed: request.isReversed),
            .integer(zone), .integer(page.reached), .count(page.nextCount), short)
    }

    private static func rows(_ columns: String, isReversed: Bool) -> String {
        let (comparison, direction) = isReversed ? ("<", "DESC") : (">", "ASC")
        return """
            SELECT \(columns)
            FROM record r
            WHERE r.database = $1 AND r.zone = $2 AND r.sequence \(comparison) $3
            ORDER BY r.sequence \(direction)
            LIMIT $4
            """
    }
}

/// A page of changes while its rows are read.
private struct PostgresChangesPage {
    private(set) var changes: PackedChanges
    private(set) var gauge: PageGauge
    /// The number of the last change of the page, or that before its first one.
    private(set) var reached: Int64
    private let limit: Int

    init(_ request: ChangesRequest, after start: Int64) {
        changes = PackedChanges(zone: ZoneID(name: request.zone))
        gauge = PageGauge(limit: request.limit, bytes: request.bytes)
        limit = request.limit
        reached = start
    }

    /// The number of rows for which the next statement asks. A row after the last one that fits shows that
    /// there are more.
    var nextCount: Int { min(PostgresChangeRow.chunk, limit - gauge.count) + 1 }

    /// Adds the next rows.
    mutating func take(_ rows: PostgresRows, types: [Int64: String]) -> PostgresChangeRow.Taken {
        var gauge = gauge
        defer { self.gauge = gauge }
        return PostgresChangeRow.take(rows, &gauge) { row in
            reached = row.integer(1)
            return PostgresChangeRow.read(row, types: types, into: &changes)
        }
    }
}
