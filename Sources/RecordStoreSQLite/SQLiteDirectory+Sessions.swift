import Foundation
import GRDB
package import RecordStore
package import Records

extension SQLiteDirectory {
    package func userRecordName(
        of account: Account, in container: String, candidate: String
    ) async throws -> String {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO container_user (container, account, user_record_name)
                    VALUES (?, ?, ?)
                    ON CONFLICT (container, account) DO NOTHING
                    """,
                arguments: [container, account.id, candidate]
            )
            return try String.fetchOne(
                database,
                sql: "SELECT user_record_name FROM container_user WHERE container = ? AND account = ?",
                arguments: [container, account.id]
            ) ?? candidate
        }
    }

    package func userRecordNames(of account: String) async throws -> [String: String] {
        try await read { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT container, user_record_name FROM container_user WHERE account = ?",
                arguments: [account]
            )
            return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
        }
    }

    package func account(
        withUserRecordName name: String, in container: String
    ) async throws -> Account? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT \(Self.accountColumns)
                    FROM container_user
                    JOIN account ON account.id = container_user.account
                    WHERE container = ? AND user_record_name = ?
                    """,
                arguments: [container, name]
            ).map(Self.account)
        }
    }

    // MARK: Sessions

    package func addSession(
        hash: [UInt8], _ session: Session, limit: Int
    ) async throws -> EndedSessions {
        try await write { database in
            let ended = try Self.endSessions(
                """
                hash IN (
                    SELECT hash
                    FROM session
                    WHERE account = ? AND container IS ?
                    ORDER BY seen_at DESC, created_at DESC, hash
                    LIMIT -1 OFFSET ?
                )
                """,
                [session.account, session.place?.container, max(0, limit - 1)], in: database)
            try database.execute(
                sql: """
                    INSERT INTO session
                        (hash, account, container, environment, lifetime, seen_at, created_at, is_open)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(hash), session.account, session.place?.container,
                    session.place?.environment.rawValue, session.lifetime, session.seen.milliseconds,
                    session.seen.milliseconds, session.isOpen,
                ]
            )
            return ended
        }
    }

    package func session(hash: [UInt8]) async throws -> (session: Session, account: Account)? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT \(Self.accountColumns), container, environment, lifetime, seen_at, is_open
                    FROM session
                    JOIN account ON account.id = session.account
                    WHERE session.hash = ?
                    """,
                arguments: [Data(hash)]
            ).map { (Self.session($0), Self.account($0)) }
        }
    }

    /// The session of a row in which it follows the account.
    private static func session(_ row: Row) -> Session {
        var place: Session.Place?
        if let container: String = row["container"],
            let environment = (row["environment"] as String?).flatMap({ CloudEnvironment(rawValue: $0) })
        {
            place = Session.Place(container: container, environment: environment)
        }
        return Session(
            account: row[0], place: place, lifetime: row["lifetime"],
            seen: Timestamp(milliseconds: row["seen_at"]), isOpen: row["is_open"]
        )
    }

    package func touchSession(hash: [UInt8], at time: Timestamp) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE session SET seen_at = max(seen_at, ?) WHERE hash = ?",
                arguments: [time.milliseconds, Data(hash)]
            )
        }
    }

    package func removeSession(hash: [UInt8]) async throws -> EndedSessions {
        try await write { database in
            try Self.endSessions("hash = ?", [Data(hash)], in: database)
        }
    }

    package func removeSessions(of account: String) async throws -> EndedSessions {
        try await write { database in try Self.endSessions(of: account, in: database) }
    }

    package func removeOpenSessions() async throws -> EndedSessions {
        try await write { database in try Self.endSessions("is_open = 1", [], in: database) }
    }

    package func forgetSessions(at time: Timestamp) async throws {
        try await write { database in
            // A token may have been given out since the session was last noted as seen: twice the lifetime.
            try database.execute(
                sql: "DELETE FROM session WHERE lifetime IS NOT NULL AND seen_at + lifetime * 2000 < ?",
                arguments: [time.milliseconds]
            )
        }
    }
}
