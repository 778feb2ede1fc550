import PostgreSQLSupport
import RecordStore
import Records

/// The remembered deletions: those of records are rows of `record` without fields, those of zones are rows of
/// `deleted_zone`.
struct PostgresDeletions {
    let session: PostgresSession

    /// Forgets deletions from before a time.
    func forget(before time: Timestamp, _ state: inout PostgresWriteState) throws {
        for zone in try zones() {
            try forget(in: zone, condition: "modified_at < $3", time.milliseconds)
            try PostgresShareTable(session: session, zone: zone)
                .forget(rows: "gone_at < $3", shares: "end_time < $3", time.milliseconds)
        }
        let gone = try session.rows(
            "DELETE FROM deleted_zone WHERE database = $1 AND time < $2 RETURNING sequence",
            .integer(time.milliseconds))
        state.horizon = max(state.horizon, gone.map { $0.integer(0) }.max() ?? 0)
    }

    /// Forgets the oldest deletions of records if there are more than `DeletionRules` allows.
    func forgetSurplus(keeping most: Int, _ state: inout PostgresWriteState) throws {
        guard DeletionRules.isDue(after: Int(state.deletions), keeping: most) else { return }
        state.deletions = 0
        // The condition is that of an index. Live records are not counted, because their number has no bound.
        let counts = try session.rows("SELECT count(*) FROM record WHERE database = $1 AND fields IS NULL")
        guard let row = counts.first, row.integer(0) > most else { return }
        let kept = DeletionRules.kept(most, records: Int(state.usage.records))
        let rows = try session.rows(
            """
            SELECT sequence
            FROM record
            WHERE database = $1 AND fields IS NULL
            ORDER BY sequence DESC
            LIMIT 1 OFFSET $2
            """,
            .count(kept))
        guard let last = rows.first?.integer(0) else { return }
        for zone in try zones() {
            try forget(in: zone, condition: "sequence <= $3", last)
            try PostgresShareTable(session: session, zone: zone)
                .forget(rows: "sequence <= $3", shares: "end_sequence <= $3", last)
        }
    }

    /// Forgets the oldest traces of records that left shares and of shares that ended, if there are more than
    /// `DeletionRules` allows for deletions. The end of a share counts once for itself and once for each
    /// membership.
    func forgetSurplusLeavings(keeping most: Int, _ state: inout PostgresWriteState) throws {
        guard DeletionRules.isDue(after: Int(state.leavings), keeping: most) else { return }
        state.leavings = 0
        let kept = DeletionRules.kept(most, records: Int(state.usage.records))
        let rows = try session.rows(
            """
            SELECT sequence
            FROM share_feed
            WHERE database = $1 AND gone_at IS NOT NULL
            UNION ALL
            SELECT end_sequence
            FROM share
            WHERE database = $1 AND end_sequence IS NOT NULL
            UNION ALL
            SELECT s.end_sequence
            FROM share s
            JOIN share_member m ON m.database = $1 AND m.share = s.id
            WHERE s.database = $1 AND s.end_sequence IS NOT NULL
            ORDER BY 1 DESC
            LIMIT 1 OFFSET $2
            """,
            .count(kept))
        guard let last = rows.first?.integer(0) else { return }
        for zone in try zones() {
            try PostgresShareTable(session: session, zone: zone)
                .forget(rows: "sequence <= $3", shares: "end_sequence <= $3", last)
        }
    }

    /// Forgets the deletions in a zone that meet a condition about `$3`, and raises the zone's horizon to the
    /// last of them.
    private func forget(in zone: Int64, condition: String, _ argument: Int64) throws {
        let gone = try session.rows(
            """
            DELETE FROM record
            WHERE database = $1 AND zone = $2 AND fields IS NULL AND \(condition)
            RETURNING sequence
            """,
            .integer(zone), .integer(argument))
        guard let last = gone.map({ $0.integer(0) }).max() else { return }
        try session.run(
            "UPDATE zone SET horizon = GREATEST(horizon, $3) WHERE database = $1 AND id = $2",
            .integer(zone), .integer(last))
    }

    /// Forgets all deletions of zones but the latest `most`.
    func forgetSurplusZones(keeping most: Int, _ state: inout PostgresWriteState) throws {
        let rows = try session.rows(
            """
            DELETE FROM deleted_zone
            WHERE database = $1 AND sequence <= (
                SELECT sequence
                FROM deleted_zone
                WHERE database = $1
                ORDER BY sequence DESC
                LIMIT 1 OFFSET $2
            )
            RETURNING sequence
            """,
            .count(most))
        state.horizon = max(state.horizon, rows.map { $0.integer(0) }.max() ?? 0)
    }

    private func zones() throws -> [Int64] {
        try session.rows("SELECT id FROM zone WHERE database = $1").map { $0.integer(0) }
    }
}
