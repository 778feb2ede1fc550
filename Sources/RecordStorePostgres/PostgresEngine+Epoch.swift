import PostgreSQLSupport
package import RecordStore

extension PostgresEngine {
    /// Begins a new epoch in all databases, after the engine was set back to an earlier point in time.
    /// Records, zones and deletions remain. Nothing else may be using the engine.
    ///
    /// All change in one transaction. The numbers of the notifications are raised too, because the tokens of
    /// the notification collection contain them. Databases whose identities differ still have identities
    /// that differ from each other afterwards.
    ///
    /// - Returns: the number of databases.
    package func begin(_ epoch: DatabaseEpoch) async throws -> Int {
        try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { _ in
                // Under the policies, a transaction that names no database sees no rows.
                for table in Self.epochTables {
                    try connection.send("ALTER TABLE \(table) NO FORCE ROW LEVEL SECURITY", [], reuse: .none)
                }
                let count = try connection.run(
                    """
                    UPDATE database
                    SET identity = identity # $1,
                        sequence = sequence + $2,
                        last_notification = last_notification + $2,
                        notification_horizon = notification_horizon + $2
                    """,
                    // Not 0, which would leave the identities as they are.
                    [.integer(epoch.identity | 1), .integer(epoch.gap)]
                ).affected
                try connection.send("UPDATE notification SET id = id + $1", [.integer(epoch.gap)])
                try connection.send(
                    "UPDATE notification_owner SET horizon = horizon + $1", [.integer(epoch.gap)])
                for table in Self.epochTables {
                    try connection.send("ALTER TABLE \(table) FORCE ROW LEVEL SECURITY", [], reuse: .none)
                }
                return (true, count)
            }
        }
    }

    private static let epochTables = ["database", "notification", "notification_owner"]
}
