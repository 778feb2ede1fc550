import GRDB
import RecordStore
package import Records

extension SQLiteStore {
    package func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage {
        let identity = writer.committed.identity
        return try read { database in
            // Both from the file, so that they belong to the snapshot that is read.
            let head = try SQL(database, "SELECT sequence, horizon FROM store")
            defer { head.reset() }
            guard try head.step() else {
                throw RecordError(.internalError, "the database has lost its head row")
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
            while try rows.step() { changes.append(Self.change(rows, identity: identity)) }
            return ZoneChangesPage(taking: changes, limit: limit, start: start, end: end)
        }
    }

    /// Whether anything was deleted before that time and is not forgotten. A zone's tombstones are in the
    /// order of their times, so its first one tells.
    private static func hasDeletions(before time: Timestamp, _ database: Database) throws -> Bool {
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
                """,
            arguments: [time.milliseconds]
        ) ?? false
    }

    private static func change(_ row: SQL, identity: Int64) -> ZoneChange {
        let (id, name, sequence) = (row.integer(0), row.text(1), row.integer(2))
        if id == 0 {
            let reason = ZoneDeletionReason(rawValue: UInt8(clamping: row.integer(3))) ?? .deleted
            return .deleted(ZoneID(name: name), reason, sequence: sequence)
        }
        return .changed(zone(named: name, id: id, sequence: sequence, identity: identity), sequence: sequence)
    }

    /// Forgets the oldest deletions of records when there are more than a database may keep.
    static func forgetSurplusDeletions(
        keeping most: Int, _ state: inout WriterState, _ database: Database
    ) throws {
        guard DeletionRules.isDue(after: state.deletions, keeping: most) else { return }
        state.deletions = 0
        let sql = "SELECT count(*) FROM record WHERE fields IS NULL"
        let count = try Int.fetchOne(database, sql: sql) ?? 0
        guard count > most else { return }
        let records = try (Int.fetchOne(database, sql: "SELECT count(*) FROM record") ?? 0) - count
        let kept = DeletionRules.kept(most, records: records)
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
            try forgetDeletions(of: zone, condition: "sequence <= ?2", [zone, last], database)
        }
    }

    /// Forgets the deletions in a zone that meet a condition, and raises its horizon to the last of them.
    private static func forgetDeletions(
        of zone: Int64, condition: String, _ arguments: StatementArguments, _ database: Database
    ) throws {
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

    /// Forgets the oldest deletions of zones.
    static func forgetSurplusZones(keeping most: Int, _ database: Database) throws {
        let last = try Int64.fetchOne(
            database, sql: "SELECT sequence FROM deleted_zone ORDER BY sequence DESC LIMIT 1 OFFSET ?",
            arguments: [most])
        guard let last else { return }
        try database.execute(sql: "UPDATE store SET horizon = max(horizon, ?)", arguments: [last])
        try database.execute(sql: "DELETE FROM deleted_zone WHERE sequence <= ?", arguments: [last])
    }

    package func forgetDeletions(before time: Timestamp) async throws {
        // Asked at every opening of the file, and mostly for nothing: that should cost no commit.
        guard try read({ try Self.hasDeletions(before: time, $0) }) else { return }
        try await write { database, state in
            for zone in state.zones.values {
                try Self.forgetDeletions(
                    of: zone, condition: "modified_at < ?2", [zone, time.milliseconds], database)
            }
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
            return (true, ())
        }
    }
}
