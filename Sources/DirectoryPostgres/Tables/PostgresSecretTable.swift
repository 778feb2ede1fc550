import PostgreSQLSupport

/// Reads and writes the server's own secrets.
struct PostgresSecretTable {
    let connection: PostgresConnection

    func secret(named name: String, candidate: [UInt8]) throws -> [UInt8] {
        try connection.send(
            "INSERT INTO secret (name, bytes) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING",
            [.text(name), .bytes(candidate)])
        return try secret(named: name) ?? candidate
    }

    func secret(named name: String) throws -> [UInt8]? {
        try connection.run("SELECT bytes FROM secret WHERE name = $1", [.text(name)]).first?.bytes(0)
    }
}
