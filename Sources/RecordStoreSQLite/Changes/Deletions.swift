import GRDB
import RecordStore
import Records

/// The remembered deletions: those of records are rows of `record` without fields, those of zones are rows of
/// `deleted_zone`.
struct Deletions {
    let database: Database

    /// Whether any remembered deletion is older than a time. The tombstones of a zone are in the order of
    /// their times, so its first one is enough.
    func areThere(before time: Timestamp) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1
                    FROM zone z
                    WHERE (
                        SELECT r.modified_at
                        FROM record r
                        WHERE r.zone = z.id AND r.fields IS NULL
                        ORDER BY r.sequence
                        LIMIT 1
                    ) < ?1
                ) OR EXISTS (SELECT 1 FROM deleted_zone WHERE time < ?1)
                OR EXISTS (SELECT 1 FROM share_feed WHERE gone_at < ?1)
                OR EXISTS (SELECT 1 FROM share WHERE end_time < ?1)
                """,
            arguments: [time.milliseconds]
        ) ?? false
    }

    /// The numbers of remembered deletions of records, and of records that left shares or whose share ended.
    /// Each is counted up to a limit.
    func remembered(upTo limit: Int) throws -> (deletions: Int, leavings: Int) {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT
                    (SELECT count(*) FROM (SELECT 1 FROM record WHERE fields IS NULL LIMIT ?1)),
                    (SELECT count(*) FROM (SELECT 1 FROM share_feed WHERE gone_at IS NOT NULL LIMIT ?1))
                        + (SELECT count(*) FROM share WHERE end_sequence IS NOT NULL)
                """,
            arguments: [limit])
        return row.map { ($0[0], $0[1]) } ?? (0, 0)
    }

    /// Forgets deletions from before a time.
    func forget(before time: Timestamp, in zones: some Collection<Int64>) throws {
        for zone in zones {
            try forget(in: zone, condition: "modified_at < ?2", [zone, time.milliseconds])
        }
        try ShareTable.forget(
            rows: "gone_at < ?1", shares: "end_time < ?1", time.milliseconds, database)
        try database.execute(
            sql: """
                UPDATE store
                SET horizon = max(horizon, coalesce((
                    SELECT max(sequence) FROM deleted_zone WHERE time < ?
                ), 0))
                """,
            arguments: [time.milliseconds]
        )
        try database.execute(
            sql: "DELETE FROM deleted_zone WHERE time < ?", arguments: [time.milliseconds]
        )
    }

    /// Forgets the oldest deletions of records if there are more than `DeletionRules` allows.
    func forgetSurplus(keeping most: Int, _ state: inout WriterState) throws {
        guard DeletionRules.isDue(after: state.deletions, keeping: most) else { return }
        state.deletions = 0
        let count = try tombstoneCount()
        guard count > most else { return }
        let kept = DeletionRules.kept(most, records: try recordCount(besides: count))
        let last = try Int64.fetchOne(
            database,
            sql: """
                SELECT sequence
                FROM record
                WHERE fields IS NULL
                ORDER BY sequence DESC
                LIMIT 1 OFFSET ?
                """,
            arguments: [kept])
        guard let last else { return }
        for zone in state.zones.values {
            try forget(in: zone, condition: "sequence <= ?2", [zone, last])
        }
        try forgetLeavings(upTo: last)
    }

    /// Forgets the oldest traces of records that left shares and of shares that ended, if there are more than
    /// `DeletionRules` allows for deletions. The end of a share counts once for itself and once for each
    /// membership.
    func forgetSurplusLeavings(keeping most: Int, _ state: inout WriterState) throws {
        guard DeletionRules.isDue(after: state.leavings, keeping: most) else { return }
        state.leavings = 0
        let records = try recordCount(besides: tombstoneCount())
        let last = try Int64.fetchOne(
            database,
            sql: """
                SELECT sequence
                FROM share_feed
                WHERE gone_at IS NOT NULL
                UNION ALL
                SELECT end_sequence
                FROM share
                WHERE end_sequence IS NOT NULL
                UNION ALL
                SELECT s.end_sequence
                FROM share s
                JOIN share_member m ON m.share = s.id
                WHERE s.end_sequence IS NOT NULL
                ORDER BY 1 DESC
                LIMIT 1 OFFSET ?
                """,
            arguments: [DeletionRules.kept(most, records: records)])
        guard let last else { return }
        try forgetLeavings(upTo: last)
    }

    private func forgetLeavings(upTo sequence: Int64) throws {
        try ShareTable.forget(
            rows: "sequence <= ?1", shares: "end_sequence <= ?1", sequence, database)
    }

    /// The number of deletions of records that are remembered, counted by their index.
    private func tombstoneCount() throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM record WHERE fields IS NULL") ?? 0
    }

    /// The number of records that exist.
    private func recordCount(besides tombstones: Int) throws -> Int {
        try (Int.fetchOne(database, sql: "SELECT count(*) FROM record") ?? 0) - tombstones
    }

    /// Forgets the deletions in a zone that meet an SQL condition, and raises the zone's horizon to the last
    /// of them.
    private func forget(in zone: Int64, condition: String, _ arguments: StatementArguments) throws {
        try database.execute(
            sql: """
                UPDATE zone
                SET horizon = max(horizon, coalesce((
                    SELECT max(sequence)
                    FROM record
                    WHERE zone = ?1 AND fields IS NULL AND \(condition)
                ), 0))
                WHERE id = ?1
                """,
            arguments: arguments
        )
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ?1 AND fields IS NULL AND \(condition)",
            arguments: arguments
        )
    }

    /// Forgets all deletions of zones but the latest `most`.
    func forgetSurplusZones(keeping most: Int) throws {
        let last = try Int64.fetchOne(
            database, sql: "SELECT sequence FROM deleted_zone ORDER BY sequence DESC LIMIT 1 OFFSET ?",
            arguments: [most])
        guard let last else { return }
        try database.execute(sql: "UPDATE store SET horizon = max(horizon, ?)", arguments: [last])
        try database.execute(sql: "DELETE FROM deleted_zone WHERE sequence <= ?", arguments: [last])
    }
}
