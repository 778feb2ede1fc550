import Foundation
import GRDB

/// Reads and writes the server's own secrets.
struct SecretTable {
    let database: Database

    func secret(named name: String, candidate: [UInt8]) throws -> [UInt8] {
        try database.execute(
            sql: "INSERT INTO secret (name, bytes) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
            arguments: [name, Data(candidate)]
        )
        return try secret(named: name) ?? candidate
    }

    func secret(named name: String) throws -> [UInt8]? {
        let bytes = try Data.fetchOne(
            database, sql: "SELECT bytes FROM secret WHERE name = ?", arguments: [name])
        return bytes.map { Array($0) }
    }
}
