import Foundation
import GRDB
package import Records

extension SQLiteDirectory {
    /// The step that adds them. Never changes once released.
    static func registerPush(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("push: devices, badges") { database in
            try database.execute(
                sql: """
                    CREATE TABLE push_token (
                        container TEXT NOT NULL,
                        environment TEXT NOT NULL,
                        token TEXT NOT NULL,
                        service TEXT NOT NULL,              -- which push service: development or production
                        user_record_name TEXT NOT NULL,
                        client TEXT,                        -- NULL: it does not say its name
                        created_at INTEGER NOT NULL,        -- milliseconds since 1970
                        PRIMARY KEY (container, environment, token)
                    ) WITHOUT ROWID, STRICT;

                    -- Who shows a token names no container.
                    CREATE INDEX push_token_by_text ON push_token (token);

                    CREATE TABLE badge (
                        container TEXT NOT NULL,
                        environment TEXT NOT NULL,
                        user_record_name TEXT NOT NULL,
                        value INTEGER NOT NULL,
                        PRIMARY KEY (container, environment, user_record_name)
                    ) WITHOUT ROWID, STRICT;
                    """
            )
        }
    }

    package func add(_ token: PushToken) async throws -> Bool {
        try await write { database in
            let session = token.session.map { Data($0) }
            let hasEnded = try Bool.fetchOne(
                database,
                sql: "SELECT ?1 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM session WHERE hash = ?1)",
                arguments: [session]
            )
            if hasEnded == true { return false }
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO push_token
                        (container, environment, token, service, user_record_name, client, created_at,
                            session)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.container, token.environment.rawValue, token.text, token.service.rawValue,
                    token.user, token.client, token.created.milliseconds, session,
                ]
            )
            return true
        }
    }

    package func pushTokens(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await pushTokens(
            "container = ? AND environment = ?", [container, environment.rawValue])
    }

    package func pushToken(_ text: String) async throws -> PushToken? {
        try await pushTokens("token = ?", [text]).first
    }

    private func pushTokens(
        _ condition: String, _ arguments: StatementArguments
    ) async throws -> [PushToken] {
        try await read { try Self.pushTokens(condition, arguments, in: $0) }
    }

    private static func pushTokens(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [PushToken] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT container, environment, token, service, user_record_name, client, created_at, session
                FROM push_token
                WHERE \(condition)
                ORDER BY created_at, token
                """,
            arguments: arguments
        )
        return rows.map { row in
            PushToken(
                text: row[2], service: PushToken.Service(rawValue: row[3]) ?? .development,
                container: row[0], environment: CloudEnvironment(rawValue: row[1]) ?? .development,
                user: row[4], client: row[5], created: Timestamp(milliseconds: row[6]),
                session: (row[7] as Data?).map { [UInt8]($0) }
            )
        }
    }

    /// Forgets the devices that meet a condition, and answers which.
    static func removePushTokens(
        _ condition: String, _ arguments: StatementArguments, in database: Database
    ) throws -> [PushToken] {
        let removed = try pushTokens(condition, arguments, in: database)
        if !removed.isEmpty {
            try database.execute(sql: "DELETE FROM push_token WHERE \(condition)", arguments: arguments)
        }
        return removed
    }

    package func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM push_token WHERE container = ? AND environment = ? AND token = ?",
                arguments: [container, environment.rawValue, text]
            )
        }
    }

    // MARK: Badges

    package func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int] {
        try await write { database in
            var values: [String: Int] = [:]
            for (user, change) in changes {
                values[user] = try Int.fetchOne(
                    database,
                    sql: """
                        INSERT INTO badge (container, environment, user_record_name, value)
                        VALUES (?1, ?2, ?3, max(0, ?4))
                        -- What older versions kept may be any number.
                        ON CONFLICT DO UPDATE SET value = max(0, min(?5, max(0, min(?5, value)) + ?4))
                        RETURNING value
                        """,
                    arguments: [
                        container, environment.rawValue, user, min(max(change, -limit), limit), limit,
                    ]
                )
            }
            return values
        }
    }

    package func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT OR REPLACE INTO badge (container, environment, user_record_name, value)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [container, environment.rawValue, user, value]
            )
        }
    }
}
