import Records

/// A PostgreSQL database in which any number of record databases are stored.
///
/// The design in short. All tables begin with the number of the record database, and their large ones are
/// partitioned by its hash, so that the databases of many people are ranges of keys and not tables. Records
/// are rows with the bytes of an answer. Values in indexed fields are rows of a few tables of entries, one
/// for each kind of value, with B-tree indexes; new types and fields need no change of the schema. A writer
/// first locks the row of its database, from which it takes the numbers of its changes. So the order of
/// commits is the order of the numbers in the tokens, and writers of different databases never wait for each
/// other. Row level security is a second wall: a transaction names its database, and PostgreSQL hides the
/// rows of all others.
package final class PostgresEngine: Sendable {
    let pool: ConnectionPool

    /// Connects and migrates the tables to the current version. Blocks the calling thread. Throws
    /// `RecordError`.
    ///
    /// - Parameters:
    ///   - address: a connection string of libpq, such as `host=db.example dbname=cloudlet`. Its role must
    ///     own the tables, and must not be a superuser: row level security does not hold for superusers.
    ///   - connections: how many connections, each with a thread, serve all stores.
    package init(address: String, connections: Int = 8) throws {
        try PostgresMigrations.migrate(PostgresConnection(address))
        pool = ConnectionPool(address: address, size: max(1, connections))
    }

    /// Closes all connections, after the work that has begun.
    package func close() async { await pool.close() }

    /// Runs hand-written SQL in a transaction of a record database, through a connection of this process, and
    /// returns the first column of its rows as text. For tests and diagnosis.
    package func texts(_ sql: String, in database: Int64) async throws -> [String] {
        try await pool.run { connection in
            try connection.transaction(.writing, on: database) { session in
                (true, try session.connection.run(sql, [], isKept: false).map { $0.text(0) })
            }
        }
    }
}
