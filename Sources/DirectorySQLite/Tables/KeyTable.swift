import Directory
import Foundation
import GRDB
import Records

/// Reads and writes server-to-server keys.
struct KeyTable {
    let database: Database

    func add(_ key: ServerKey) throws {
        if try !keys(where: "id = ?", [key.id]).isEmpty { throw CredentialRules.taken(key.id) }
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

    /// The keys that match a condition, oldest first.
    func keys(where condition: String, _ arguments: StatementArguments) throws -> [ServerKey] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT id, container, environment, label, public_key, owner, created_at, revoked_at
                FROM server_key
                WHERE \(condition)
                ORDER BY created_at, id
                """,
            arguments: arguments)
        return rows.compactMap { row in
            guard let environment = CloudEnvironment(rawValue: row[2]) else { return nil }
            return ServerKey(
                id: row[0], container: row[1], environment: environment, label: row[3],
                publicKey: Array(row[4] as Data), owner: row[5],
                created: Timestamp(milliseconds: row[6]),
                revoked: (row[7] as Int64?).map { Timestamp(milliseconds: $0) }
            )
        }
    }

    func revoke(id: String, at time: Timestamp) throws {
        try database.execute(
            sql: "UPDATE server_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
            arguments: [time.milliseconds, id]
        )
        if database.changesCount == 0 { throw CredentialRules.notValid(id) }
    }
}
