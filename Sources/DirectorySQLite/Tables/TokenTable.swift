import Directory
import Foundation
import GRDB
import Records

/// Reads and writes API tokens, stored under their hashes.
struct TokenTable {
    let database: Database

    func add(_ token: APIToken, hash: [UInt8]) throws {
        if try !tokens(where: "hash = ? OR id = ?", [Data(hash), token.id]).isEmpty {
            throw CredentialRules.taken(token.id)
        }
        let callback: String? = if case .redirect(let address) = token.callback { address } else { nil }
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

    /// The tokens that match a condition, oldest first.
    func tokens(where condition: String, _ arguments: StatementArguments) throws -> [APIToken] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, container, environment, label, origins, callback, created_at, revoked_at
                FROM api_token
                WHERE \(condition)
                ORDER BY created_at, id
                """,
            arguments: arguments)
        return rows.compactMap { row in
            guard let environment = CloudEnvironment(rawValue: row[2]) else { return nil }
            let origins: String = row[4]
            return APIToken(
                id: row[0], container: row[1], environment: environment, label: row[3],
                allowedOrigins: origins.split(separator: " ").map(String.init),
                callback: (row[5] as String?).map { .redirect($0) } ?? .message,
                created: Timestamp(milliseconds: row[6]),
                revoked: (row[7] as Int64?).map { Timestamp(milliseconds: $0) }
            )
        }
    }

    func revoke(id: String, at time: Timestamp) throws {
        try database.execute(
            sql: "UPDATE api_token SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            arguments: [time.milliseconds, id]
        )
        if database.changesCount == 0 { throw CredentialRules.notValid(id) }
    }
}
