package import Directory
import PostgreSQLSupport
package import Records

extension PostgresDirectory {
    package func addSession(
        hash: [UInt8], _ session: Session, limit: Int
    ) async throws -> EndedSessions {
        try await write(telling: \.changes) {
            try PostgresSessionTable(connection: $0).add(hash: hash, session, limit: limit)
        }
    }

    package func session(hash: [UInt8]) async throws -> (session: Session, account: Account)? {
        try await read { try PostgresSessionTable(connection: $0).session(hash: hash) }
    }

    package func hasSession(from first: [UInt8], through last: [UInt8]) async throws -> Bool {
        try await read { try PostgresSessionTable(connection: $0).has(from: first, through: last) }
    }

    package func touchSession(hash: [UInt8], at time: Timestamp) async throws {
        try await write { try PostgresSessionTable(connection: $0).touch(hash: hash, at: time) }
    }

    package func removeSession(hash: [UInt8]) async throws -> EndedSessions {
        try await write(telling: \.changes) {
            try PostgresSessionTable(connection: $0).end(where: "hash = $1", .bytes(hash))
        }
    }

    package func removeSessions(of account: String) async throws -> EndedSessions {
        try await write(telling: \.changes) { try PostgresSessionTable(connection: $0).endAll(of: account) }
    }

    package func removeOpenSessions() async throws -> EndedSessions {
        try await write(telling: \.changes) {
            try PostgresSessionTable(connection: $0).end(where: "is_open = 1")
        }
    }

    /// Deletes all sessions and all device registrations, because some may have ended after the point in time
    /// to which the engine was restored.
    ///
    /// - Returns: the number of sessions.
    package func endSessions() async throws -> Int {
        try await write(telling: { _ in [.missed] }) { connection in
            try connection.send("DELETE FROM push_token", [])
            return try connection.run("DELETE FROM session", []).affected
        }
    }

    package func forgetSessions(at time: Timestamp) async throws {
        try await write { try PostgresSessionTable(connection: $0).forget(at: time) }
    }
}
