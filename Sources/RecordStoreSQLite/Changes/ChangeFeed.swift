import GRDB
import RecordStore
import Records

/// Reads a zone's changes, along the index `record_by_change`.
struct ChangeFeed {
    let database: Database
    let zone: Int64

    /// Returns a page of the feed. Throws `zoneNotFound` if the zone was deleted, and the errors of
    /// `ChangesRequest.start`.
    func page(_ request: ChangesRequest, _ state: WriterState) throws -> ChangesPage {
        let zones = ZoneTable(database: database)
        guard let (end, horizon) = try zones.extent(of: zone) else {
            throw try zones.absence(of: request.zone)
        }
        let start = try request.start(in: state.identity, zone: zone, horizon: horizon, end: end)
        let rows = try rows(of: request, from: start.sequence)
        defer { rows.reset() }
        var changes = PackedChanges(zone: ZoneID(name: request.zone))
        changes.reserve(changes: request.limit, bytes: ChangeRow.typicalBytes * request.limit)
        var gauge = PageGauge(limit: request.limit, bytes: request.bytes)
        var moreComing = false
        while try rows.step() {
            // A row after the last one that fits shows that there are more.
            moreComing = gauge.isFull
            if moreComing { break }
            let type = try state.typeName(of: ChangeRow.type(rows), database)
            gauge.take(bytes: ChangeRow.read(rows, type: type, into: &changes))
        }
        return ChangesPage(
            changes, moreComing: moreComing, start: start, end: end,
            lastBatch: try ClientBatches(database: database, zone: zone).answer(to: request.client))
    }

    private func rows(of request: ChangesRequest, from sequence: Int64) throws -> SQL {
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
}
