import Foundation
import PostgreSQLSupport
package import RecordStore
package import Records

/// A PostgreSQL database in which any number of record databases are stored.
///
/// The keys of all tables begin with the number of the record database, and the large tables are partitioned
/// by its hash, so that the databases of many people are ranges of keys and not tables. The row of a record
/// has its fields in the bytes of an answer. Values in indexed fields are rows of a few tables of entries,
/// one for each kind of value, with B-tree indexes; new types and fields need no change of the schema. A
/// group of writes first locks the row of its database, from which it takes the numbers of its changes. So
/// the order of commits is the order of the numbers in the tokens, and writers of different databases never
/// wait for each other's locks; they take turns on the connections (`PostgresWriteConnections`). Those of one
/// database share the commit of a group. Row level security is a second protection: a transaction names its
/// database, and PostgreSQL hides the rows of all others.
package final class PostgresEngine: Sendable {
    let pool: ConnectionPool
    let reads: PostgresReadConnections
    let writes: PostgresWriteConnections
    private let listener: PostgresListener
    /// Identifies this process in the messages to others, and in the notifications that it writes.
    let process: Int64
    /// The numbers of the databases by their names. Other processes tell of those that they add and remove.
    private let numbers: PostgresDatabaseNumbers
    package let changes: AsyncStream<EngineChange>

    /// Connects and migrates the tables to the current version, or accepts tables of a newer release that are
    /// compatible with this one. Blocks the calling thread. Throws `RecordError`.
    ///
    /// - Parameters:
    ///   - address: a connection string of libpq, such as `postgresql://cloudlet@db.example/cloudlet`. Its
    ///     role must own the tables, and must be no superuser: row level security does not hold for
    ///     superusers.
    ///   - process: a number that no other process uses with this engine.
    ///   - connections: how many connections, each with a thread, serve all stores. One more listens. With
    ///     fewer than three, ordinary reads and light writes can wait for slow reads and heavy writes.
    ///   - uptime: the time since any fixed moment. With a constant one, those who wait for a connection just
    ///     take turns.
    ///   - warn: receives a text for the operator when the engine is lost and when it answers again.
    package init(
        address: String, process: Int64, connections: Int = 8,
        uptime: @escaping @Sendable () -> Duration = { .zero },
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let connection = try PostgresConnection(address)
        try connection.checkRole()
        let migrator = PostgresMigrations.migrator
        try migrator.migrate(connection)
        let (numbers, (changes, change)) = (
            PostgresDatabaseNumbers(), AsyncStream.makeStream(of: EngineChange.self)
        )
        listener = try PostgresListener(
            address: address, channel: PostgresEngineMessage.channel, prepare: { try migrator.reserve($0) }
        ) { event in
            switch event {
            case .listening(let connection):
                for name in try numbers.load(connection) { change.yield(.removed(name)) }
                change.yield(.missed)
            case .message(let text):
                guard let message = PostgresEngineMessage(text) else { return }
                // The messages of this process, too: `load` may not have read a database that it added
                // meanwhile.
                numbers.apply(message.content)
                if message.sender != process, let told = message.content.change { change.yield(told) }
            }
        }
        (self.process, self.numbers, self.changes) = (process, numbers, changes)
        pool = ConnectionPool(address: address, size: max(1, connections)) { try migrator.reserve($0) }
        reads = PostgresReadConnections(pool, connections: connections, uptime: uptime)
        writes = PostgresWriteConnections(pool, connections: connections, uptime: uptime)
        listener.onChange { [pool] isListening in
            if !isListening { pool.renew() }
            warn(isListening ? "the database engine answers again" : "the database engine does not answer")
        }
    }

    /// Closes all connections, after the work that has begun.
    package func close() async {
        await listener.close()
        await pool.close()
    }

    /// Sends a message to the other processes that use the engine.
    private func notify(_ content: PostgresEngineMessage.Content, _ connection: PostgresConnection) throws {
        try connection.notify(
            PostgresEngineMessage.channel, PostgresEngineMessage(sender: process, content).text)
    }

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
        return try await BlockingWork.run {
            try PostgresStore(
                in: self, number: number, newIdentity: newIdentity, firstNumber: firstNumber, codec: codec,
                notificationLimits: notificationLimits, uptime: uptime)
        }
    }

    /// The number of a database, which gets one if it has none.
    func number(of name: String) async throws -> Int64 {
        if let known = numbers[name] { return known }
        let number = try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { _ -> (stands: Bool, result: Int64?) in
                let new = try connection.run(
                    """
                    INSERT INTO record_database (name)
                    VALUES ($1)
                    ON CONFLICT (name) DO NOTHING
                    RETURNING number
                    """,
                    [.text(name)])
                if let number = new.first?.integer(0) {
                    try self.notify(.added(name, number), connection)
                    return (true, number)
                }
                let rows = try connection.run(
                    "SELECT number FROM record_database WHERE name = $1", [.text(name)])
                return (true, rows.first?.integer(0))
            }
        }
        guard let number else {
            throw RecordError(.internalError, "the table record_database lacks a row", culprit: name)
        }
        numbers.apply(.added(name, number))
        return number
    }

    package var obstacle: RecordError? { listener.obstacle }

    package func exists(_ name: String) -> Bool { numbers[name] != nil }

    package func names(beginningWith prefix: String) -> [String] {
        numbers.names(beginningWith: prefix)
    }

    package func bytes(of name: String) async throws -> Int64 {
        guard let number = numbers[name] else { return 0 }
        return try await pool.run { connection in
            try connection.read(on: number) { try PostgresUsageAccount(session: $0).usage().recordBytes }
        }
    }

    package func remove(_ name: String) async throws {
        guard let number = numbers[name] else { return }
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
                try self.notify(.removed(name, number), connection)
                return (true, ())
            }
        }
        numbers.apply(.removed(name, number))
    }

    package func tellOfNotifications(
        after number: Int64, upTo last: Int64, in name: String
    ) async throws {
        try await pool.run { connection in
            connection.recover()
            // Without a transaction of its own, and with nothing written, it waits for no disk.
            try self.notify(.notifications(name, after: number, upTo: last), connection)
            try connection.finish()
        }
    }

    package func tell(_ messages: [String]) async throws {
        try await pool.run { connection in
            connection.recover()
            for message in messages { try self.notify(.told(message), connection) }
            try connection.finish()
        }
    }

    package func bind(to installation: Installation?) async throws -> Installation? {
        try await pool.run { connection in
            try connection.transaction(.writing, on: nil) { session in
                if let installation {
                    try session.connection.send(
                        """
                        INSERT INTO server (id, folder, has_directory)
                        VALUES (1, $1, $2)
                        ON CONFLICT (id) DO NOTHING
                        """,
                        [.text(installation.identifier), .count(installation.hasDirectory ? 1 : 0)])
                }
                let rows = try session.connection.run("SELECT folder, has_directory FROM server", [])
                let bound = rows.first.map {
                    Installation(identifier: $0.text(0), hasDirectory: $0.integer(1) == 1)
                }
                return (true, bound)
            }
        }
    }
}
