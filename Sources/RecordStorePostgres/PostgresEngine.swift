import Foundation
package import RecordStore
package import Records
import Synchronization

/// A PostgreSQL database in which any number of record databases are stored.
///
/// The keys of all tables begin with the number of the record database, and the large tables are partitioned
/// by its hash, so that the databases of many people are ranges of keys and not tables. The row of a record
/// has its fields in the bytes of an answer. Values in indexed fields are rows of a few tables of entries,
/// one for each kind of value, with B-tree indexes; new types and fields need no change of the schema. A
/// group of writes first locks the row of its database, from which it takes the numbers of its changes. So
/// the order of commits is the order of the numbers in the tokens, and writers of different databases never
/// wait for each other. Those of one database share the commit of a group. Row level security is a second
/// protection: a transaction names its database, and PostgreSQL hides the rows of all others.
package final class PostgresEngine: Sendable {
    let pool: ConnectionPool
    /// The numbers of the databases by their names, read when the engine is opened. They stay valid because
    /// an engine belongs to one data folder (`bind`), which one server at a time uses.
    private let numbers: Mutex<[String: Int64]>

    /// Connects and migrates the tables to the current version. Blocks the calling thread. Throws
    /// `RecordError`.
    ///
    /// - Parameters:
    ///   - address: a connection string of libpq, such as `postgresql://cloudlet@db.example/cloudlet`. Its
    ///     role must own the tables, and must be no superuser: row level security does not hold for
    ///     superusers.
    ///   - connections: how many connections, each with a thread, serve all stores.
    package init(address: String, connections: Int = 8) throws {
        let connection = try PostgresConnection(address)
        try Self.checkRole(connection)
        try PostgresMigrations.migrate(connection)
        numbers = Mutex(try Self.numbers(connection))
        pool = ConnectionPool(address: address, size: max(1, connections))
    }

    private static func checkRole(_ connection: PostgresConnection) throws {
        let rows = try connection.run(
            """
            SELECT rolname::text
            FROM pg_roles
            WHERE rolname = current_user AND (rolsuper OR rolbypassrls)
            """, [])
        guard let role = rows.first?.text(0) else { return }
        throw RecordError(
            .badRequest, "row level security does not hold for the role \(role) of PostgreSQL", culprit: role,
            nextStep: "use a role without SUPERUSER and BYPASSRLS, which owns the database")
    }

    private static func numbers(_ connection: PostgresConnection) throws -> [String: Int64] {
        let rows = try connection.run("SELECT name, number FROM record_database", [])
        return Dictionary(rows.map { ($0.text(0), $0.integer(1)) }) { $1 }
    }

    /// Closes all connections, after the work that has begun.
    package func close() async { await pool.close() }

    /// Runs hand-written SQL in a transaction of a record database, through a connection of this process, and
    /// returns the first column of its rows as text. For tests and diagnosis.
    package func texts(_ sql: String, in database: Int64) async throws -> [String] {
        try await pool.run { connection in
            try connection.transaction(.writing, on: database) { session in
                (true, try session.connection.run(sql, [], reuse: .none).map { $0.text(0) })
            }
        }
    }
}

extension PostgresEngine: RecordStoreEngine {
    package func store(
        named name: String, newIdentity: Int64, firstNumber: Int64, codec: any FieldCodec,
        notificationLimits: NotificationLimits, uptime: @escaping @Sendable () -> Duration
    ) async throws -> any RecordStore {
        let number = try await number(of: name)
        return try await withCheckedThrowingContinuation { answer in
            DispatchQueue.global().async {
                answer.resume(
                    with: Result {
                        try PostgresStore(
                            in: self, number: number, newIdentity: newIdentity, firstNumber: firstNumber,
                            codec: codec, notificationLimits: notificationLimits, uptime: uptime)
                    })
            }
        }
    }

    /// The number of a database, which gets one if it has none.
    private func number(of name: String) async throws -> Int64 {
        if let known = numbers.withLock({ $0[name] }) { return known }
        let number = try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { session in
                try session.connection.send(
                    "INSERT INTO record_database (name) VALUES ($1) ON CONFLICT (name) DO NOTHING",
                    [.text(name)])
                let rows = try session.connection.run(
                    "SELECT number FROM record_database WHERE name = $1", [.text(name)])
                return (true, rows.first?.integer(0))
            }
        }
        guard let number else {
            throw RecordError(.internalError, "the table record_database lacks a row", culprit: name)
        }
        numbers.withLock { $0[name] = number }
        return number
    }

    package func exists(_ name: String) -> Bool { numbers.withLock { $0[name] != nil } }

    package func names(beginningWith prefix: String) -> [String] {
        numbers.withLock { $0.keys.filter { $0.hasPrefix(prefix) } }.sorted()
    }

    package func bytes(of name: String) async throws -> Int64 {
        guard let number = numbers.withLock({ $0[name] }) else { return 0 }
        return try await pool.run { connection in
            try connection.read(on: number) { try UsageAccount(session: $0).usage().recordBytes }
        }
    }

    package func remove(_ name: String) async throws {
        guard let number = numbers.withLock({ $0[name] }) else { return }
        try await pool.run { connection in
            try connection.transaction(.writing, on: number) { session in
                try session.run("SELECT 1 FROM database WHERE id = $1 FOR UPDATE")
                for table in PostgresMigrations.databaseTables {
                    try session.run("DELETE FROM \(table) WHERE database = $1")
                }
                try session.run("DELETE FROM database WHERE id = $1")
                // The names are visible only to transactions that name no database.
                try session.enqueue("SELECT set_config('cloudlet.database', '', TRUE)")
                try session.connection.send("DELETE FROM record_database WHERE name = $1", [.text(name)])
                return (true, ())
            }
        }
        numbers.withLock { $0[name] = nil }
    }

    package func bind(to folder: String?) async throws -> String? {
        try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { session in
                if let folder {
                    try session.connection.send(
                        "INSERT INTO server (id, folder) VALUES (1, $1) ON CONFLICT (id) DO NOTHING",
                        [.text(folder)])
                }
                return (true, try session.connection.run("SELECT folder FROM server", []).first?.text(0))
            }
        }
    }
}
