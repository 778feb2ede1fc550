import Directory
import PostgreSQLSupport
import Records

/// Reads and writes API tokens, stored under their hashes, and server-to-server keys.
struct PostgresCredentialTable {
    let connection: PostgresConnection

    // MARK: API tokens

    func add(_ token: APIToken, hash: [UInt8]) throws {
        if try !tokens(where: "hash = $1 OR id = $2", .bytes(hash), .text(token.id)).isEmpty {
            throw CredentialRules.taken(token.id)
        }
        let callback: String? = if case .redirect(let address) = token.callback { address } else { nil }
        try connection.send(
            """
            INSERT INTO api_token
                (hash, id, container, environment, label, origins, callback, created_at, revoked_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .bytes(hash), .text(token.id), .text(token.container), .text(token.environment.rawValue),
                .text(token.label), .text(token.allowedOrigins.joined(separator: " ")), .optional(callback),
                .integer(token.created.milliseconds), .optional(token.revoked?.milliseconds),
            ])
    }

    /// The tokens that match a condition, oldest first.
    func tokens(where condition: String, _ arguments: PostgresValue...) throws -> [APIToken] {
        try connection.run(
            """
            SELECT id, container, environment, label, origins, callback, created_at, revoked_at
            FROM api_token
            WHERE \(condition)
            ORDER BY created_at, id
            """,
            arguments
        ).compactMap { row in
            guard let environment = CloudEnvironment(rawValue: row.text(2)) else { return nil }
            return APIToken(
                id: row.text(0), container: row.text(1), environment: environment, label: row.text(3),
                allowedOrigins: row.text(4).split(separator: " ").map(String.init),
                callback: row.optionalText(5).map { .redirect($0) } ?? .message,
                created: Timestamp(milliseconds: row.integer(6)),
                revoked: row.optionalInteger(7).map { Timestamp(milliseconds: $0) })
        }
    }

    // MARK: Keys

    func add(_ key: ServerKey) throws {
        if try !keys(where: "id = $1", .text(key.id)).isEmpty { throw CredentialRules.taken(key.id) }
        try connection.send(
            """
            INSERT INTO server_key
                (id, container, environment, label, public_key, owner, created_at, revoked_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            [
                .text(key.id), .text(key.container), .text(key.environment.rawValue), .text(key.label),
                .bytes(key.publicKey), .text(key.owner), .integer(key.created.milliseconds),
                .optional(key.revoked?.milliseconds),
            ])
    }

    /// The keys that match a condition, oldest first.
    func keys(where condition: String, _ arguments: PostgresValue...) throws -> [ServerKey] {
        try connection.run(
            """
            SELECT id, container, environment, label, public_key, owner, created_at, revoked_at
            FROM server_key
            WHERE \(condition)
            ORDER BY created_at, id
            """,
            arguments
        ).compactMap { row in
            guard let environment = CloudEnvironment(rawValue: row.text(2)) else { return nil }
            return ServerKey(
                id: row.text(0), container: row.text(1), environment: environment, label: row.text(3),
                publicKey: row.bytes(4), owner: row.text(5),
                created: Timestamp(milliseconds: row.integer(6)),
                revoked: row.optionalInteger(7).map { Timestamp(milliseconds: $0) })
        }
    }

    // MARK: Both

    /// Revokes the token or key with an ID in the table `api_token` or `server_key`.
    func revoke(_ id: String, in table: String, at time: Timestamp) throws {
        let changed = try connection.run(
            "UPDATE \(table) SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL",
            [.integer(time.milliseconds), .text(id)])
        if changed.affected == 0 { throw CredentialRules.notValid(id) }
    }
}
