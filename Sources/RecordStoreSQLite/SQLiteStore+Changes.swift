import GRDB
package import RecordStore
package import Records

extension SQLiteStore {
    package func changes(_ request: ChangesRequest) async throws -> ChangesPage {
        let state = writer.committed
        guard let zone = state.zones[request.zone] else { throw try absence(of: request.zone) }
        let found = await connections.readAhead.take(request, after: state.commits)
        let page = try found ?? read { try Self.page(request, zone, state, $0) }
        if page.moreComing { readNext(after: page, request, zone, state) }
        return page
    }

    /// Begins to read the page that whoever follows the feed asks for next.
    private func readNext(
        after page: ChangesPage, _ request: ChangesRequest, _ zone: Int64, _ state: WriterState
    ) {
        var next = request
        next.since = page.token
        let readAhead = connections.readAhead
        guard !connections.isInline, request.isFollowed, readAhead.begin(next, after: state.commits) else {
            return
        }
        do {
            try connections.beginRead { [next] database in
                readAhead.end(next, database.flatMap { try? Self.page(next, zone, state, $0) })
            }
        } catch {
            readAhead.end(next, nil)
        }
    }

    private static func page(
        _ request: ChangesRequest, _ zone: Int64, _ state: WriterState, _ database: Database
    ) throws -> ChangesPage {
        guard let (end, horizon) = try extent(of: zone, database) else {
            throw try absence(of: request.zone, database)
        }
        let start = try request.start(in: state.identity, zone: zone, horizon: horizon, end: end)
        let rows = try rows(of: request, zone, from: start.sequence, database)
        defer { rows.reset() }
        var changes = PackedChanges(zone: ZoneID(name: request.zone))
        changes.reserve(changes: request.limit, bytes: ChangeRow.usualBytes * request.limit)
        var gauge = PageGauge(limit: request.limit, bytes: request.bytes)
        var moreComing = false
        while try rows.step() {
            // The one change that does not fit any more tells that there are more.
            moreComing = gauge.isFull
            if moreComing { break }
            let type = try type(ChangeRow.type(rows), state, database)
            gauge.take(bytes: ChangeRow.read(rows, type: type, into: &changes))
        }
        return ChangesPage(
            changes, moreComing: moreComing, start: start, end: end,
            lastBatch: try ClientBatches(database: database, zone: zone).answer(to: request.client))
    }

    private static func rows(
        of request: ChangesRequest, _ zone: Int64, from sequence: Int64, _ database: Database
    ) throws -> SQL {
        let (comparison, direction) = request.isReversed ? ("<", "DESC") : (">", "ASC")
        var rows = try SQL(
            database,
            """
            SELECT \(ChangeRow.columns)
            FROM record r
            WHERE r.zone = ? AND r.sequence \(comparison) ?
            ORDER BY r.sequence \(direction)
            LIMIT ?
            """
        )
        rows.bind(zone)
        rows.bind(sequence)
        rows.bind(Int64(request.limit) + 1)
        return rows
    }

    /// The number of a zone's last change, and of its last forgotten deletion; nil when the zone is gone.
    static func extent(of zone: Int64, _ database: Database) throws -> (end: Int64, horizon: Int64)? {
        var row = try SQL(database, "SELECT sequence, horizon FROM zone WHERE id = ?")
        row.bind(zone)
        defer { row.reset() }
        return try row.step() ? (row.integer(0), row.integer(1)) : nil
    }
}
