import GRDB
import RecordStore
import Records

/// Reads the changes of custom zones, deletions included.
struct ChangedZones {
    let database: Database
    let identity: Int64

    func page(since token: ChangeToken?, limit: Int) throws -> ZoneChangesPage {
        // Both numbers come from the file, so that they belong to the same snapshot as the rows.
        let head = try SQL(database, "SELECT sequence, horizon FROM store")
        defer { head.reset() }
        guard try head.step() else {
            throw RecordError(.internalError, "the table store has no row")
        }
        let (end, horizon) = (head.integer(0), head.integer(1))
        let start = try FeedPosition.start(
            of: .zones, after: token, database: identity, zone: 0, horizon: horizon, end: end,
            culprit: "database"
        )
        var rows = try SQL(
            database,
            """
            SELECT id, name, sequence, 0
            FROM zone
            WHERE id <> 1 AND sequence > ?1
            UNION ALL
            SELECT 0, name, sequence, reason
            FROM deleted_zone
            WHERE sequence > ?1
            ORDER BY 3
            LIMIT ?2
            """
        )
        rows.bind(start.sequence)
        rows.bind(Int64(limit) + 1)
        var changes: [ZoneChange] = []
        while try rows.step() {
            changes.append(
                ZoneChange(
                    zone: rows.integer(0), named: rows.text(1), sequence: rows.integer(2),
                    reason: rows.integer(3), identity: identity))
        }
        return ZoneChangesPage(taking: changes, limit: limit, start: start, end: end)
    }
}
