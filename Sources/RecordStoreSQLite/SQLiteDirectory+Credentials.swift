import Foundation
import GRDB
import RecordStore
package import Records

extension SQLiteDirectory {
    package func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8] {
        try await write { database in
            try database.execute(
                sql: "INSERT INTO secret (name, bytes) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
                arguments: [name, Data(candidate)]
            )
            let bytes = try Data.fetchOne(
                database, sql: "SELECT bytes FROM secret WHERE name = ?", arguments: [name])
            return bytes.map { Array($0) } ?? candidate
        }
    }

    // MARK: API tokens

    package func add(_ token: APIToken, hash: [UInt8]) async throws {
        var address: String?
        if case .redirect(let text) = token.callback { address = text }
        let callback = address
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO api_token
                        (hash, id, container, environment, label, origins, callback, created_at, revoked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(hash), token.id, token.container, token.environment.rawValue, token.label,
                    token.allowedOrigins.joined(separator: " "), callback, token.created.milliseconds,
                    token.revoked?.milliseconds,
                ]
            )
        }
    }

    package func apiToken(hash: [UInt8]) async throws -> APIToken? {
        try await tokens("hash = ?", [Data(hash)]).first
    }

    package func apiToken(id: String) async throws -> APIToken? {
        try await tokens("id = ?", [id]).first
    }

    package func apiTokens(of container: String) async throws -> [APIToken] {
        try await tokens("container = ?", [container])
    }

    private func tokens(_ condition: String, _ arguments: StatementArguments) async throws -> [APIToken] {
        try await read { database in
            let sql = """
                SELECT id, container, environment, label, origins, callback, created_at, revoked_at
                FROM api_token
                WHERE \(condition)
                ORDER BY created_at, id
                """
            return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row in
                guard let environment = CloudEnvironment(rawValue: row[2]) else { return nil }
                let origins: String = row[4]
                return APIToken(
                    id: row[0], container: row[1], environment: environment, label: row[3],
                    allowedOrigins: origins.split(separator: " ").map(String.init),
                    callback: (row[5] as String?).map { .redirect($0) } ?? .message,
                    created: Timestamp(milliseconds: row[6]), revoked: Self.time(row[7])
                )
            }
        }
    }

    package func revokeAPIToken(id: String, at time: Timestamp) async throws {
        try await revoke("api_token", id, time)
    }

    // MARK: Keys

    package func add(_ key: ServerKey) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO server_key
                        (id, container, environment, label, public_key, owner, created_at, revoked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    key.id, key.container, key.environment.rawValue, key.label, Data(key.publicKey),
                    key.owner, key.created.milliseconds, key.revoked?.milliseconds,
                ]
            )
        }
    }

    package func serverKey(id: String) async throws -> ServerKey? {
        try await keys("id = ?", [id]).first
    }

    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try await keys("container = ?", [container])
    }

    private func keys(_ condition: String, _ arguments: StatementArguments) async throws -> [ServerKey] {
        try await read { database in
            let sql = """
                SELECT id, container, environment, label, public_key, owner, created_at, revoked_at
                FROM server_key
                WHERE \(condition)
                ORDER BY created_at, id
                """
            return try Row.fetchAll(database, sql: sql, arguments: arguments).compactMap { row in
                guard let environment = CloudEnvironment(rawValue: row[2]) else { return nil }
                return ServerKey(
                    id: row[0], container: row[1], environment: environment, label: row[3],
                    publicKey: Array(row[4] as Data), owner: row[5],
                    created: Timestamp(milliseconds: row[6]), revoked: Self.time(row[7])
                )
            }
        }
    }

    package func revokeServerKey(id: String, at time: Timestamp) async throws {
        try await revoke("server_key", id, time)
    }

    private func revoke(_ table: String, _ id: String, _ time: Timestamp) async throws {
        try await write { database in
            try database.execute(
                sql: "UPDATE \(table) SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                arguments: [time.milliseconds, id]
            )
            if database.changesCount == 0 {
                throw RecordError(
                    .notFound, "nothing in force has this id", culprit: id,
                    nextStep: "list what the container has"
                )
            }
        }
    }

    private static func time(_ milliseconds: Int64?) -> Timestamp? {
        milliseconds.map { Timestamp(milliseconds: $0) }
    }
}
