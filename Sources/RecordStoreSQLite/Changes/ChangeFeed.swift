import GRDB
import RecordStore
import Records

/// The feed of a zone's changes: a walk along an index.
struct ChangeFeed {
    let database: Database
    let zone: Int64

    /// A page of the feed. Throws `zoneNotFound` when the zone is gone, and as `ChangesRequest.start` does.
    func page(_ request: ChangesRequest, _ state: WriterState) throws -> ChangesPage {
        let zones = ZoneTable(database: database)
        guard let (end, horizon) = try zones.extent(of: zone) else {
            throw try zones.absence(of: request.zone)
        }
        let start = try request.start(in: state.identity, zone: zone, horizon: horizon, end: end)
        let rows = try rows(of: request, from: start.sequence)
        defer { rows.reset() }
        var changes = PackedChanges(zone: ZoneID(name: request.zone))
        changes.reserve(changes: request.limit, bytes: ChangeRow.usualBytes * request.limit)
        var gauge = PageGauge(limit: request.limit, bytes: request.bytes)
        var moreComing = false
        while try rows.step() {
            // The one change that does not fit any more tells that there are more.
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
