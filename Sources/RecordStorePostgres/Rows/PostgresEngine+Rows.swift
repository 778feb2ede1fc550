package import DataRows
import PostgreSQLSupport
package import RecordStore
package import Records

extension PostgresEngine: CopyableEngine {
    package func content(
        of name: String, types: [TypeSchema], codec: any FieldCodec
    ) async throws -> any RowDatabase {
        PostgresRecordRows(in: self, number: try await number(of: name), types: types, codec: codec)
    }

    package func rebind(to installation: Installation) async throws {
        try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { session in
                try session.connection.send(
                    "UPDATE server SET folder = $1, has_directory = $2",
                    [.text(installation.identifier), .count(installation.hasDirectory ? 1 : 0)])
                return (true, ())
            }
        }
    }

    /// The number of connections of other programs to a database as the same role. Blocks the calling thread,
    /// and waits for some seconds until there are none, because those of a program that has just ended are
    /// there for another moment.
    package static func connections(to address: String) throws -> Int {
        let connection = try PostgresConnection(address)
        var count = 0
        for _ in 1...10 {
            count = try connection.run(
                """
                SELECT pid
                FROM pg_stat_activity
                WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
                    AND backend_type = 'client backend'
                """, []
            ).count
            if count == 0 { return 0 }
            _ = try connection.run("SELECT 1 FROM pg_sleep(0.3)", [])
        }
        return count
    }
}
