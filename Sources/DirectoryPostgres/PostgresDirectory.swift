package import Directory
import PostgreSQLSupport
package import Records

/// The directory of a server in a PostgreSQL database, which any number of processes can use at once.
///
/// Each call is one transaction. A writer first locks the table `directory_writer`, so the transactions of
/// all processes have the effect of one after the other; readers never wait. A write sends what it has
/// changed to the other processes with its commit. The types in `Tables` run the SQL, each for the rows of
/// one kind.
package final class PostgresDirectory: Directory {
    let pool: ConnectionPool
    private let listener: PostgresListener
    /// Identifies this process in the messages to others.
    private let process: Int64
    package let changes: AsyncStream<DirectoryChange>

    /// The channel of the messages to other processes.
    private static let channel = "cloudlet_directory"

    /// Connects and migrates the tables to the current version, or accepts tables of a newer release that are
    /// compatible with this one. Blocks the calling thread. Throws `RecordError`.
    ///
    /// - Parameters:
    ///   - address: a connection string of libpq. Its role must own the tables, and must be no superuser.
    ///   - process: a number that no other process uses with these tables.
    ///   - connections: how many connections, each with a thread, serve all calls. One more listens.
    package init(address: String, process: Int64, connections: Int = 3) throws {
        let connection = try PostgresConnection(address)
        try connection.checkRole()
        let migrator = PostgresDirectoryMigrations.migrator
        try migrator.migrate(connection)
        let (changes, change) = AsyncStream.makeStream(of: DirectoryChange.self)
        listener = try PostgresListener(
            address: address, channel: Self.channel, prepare: { try migrator.reserve($0) }
        ) { event in
            switch event {
            case .listening: change.yield(.missed)
            case .message(let text):
                let message = PostgresDirectoryMessage(text)
                if message.sender != process { change.yield(message.change) }
            }
        }
        self.changes = changes
        self.process = process
        pool = ConnectionPool(address: address, size: max(1, connections)) { try migrator.reserve($0) }
        listener.onChange { [pool] isListening in
            if !isListening { pool.renew() }
        }
    }

    package var obstacle: RecordError? { listener.obstacle }

    package func close() async throws {
        await listener.close()
        await pool.close()
    }

    /// Runs a read on a snapshot.
    func read<T: Sendable>(_ body: @escaping @Sendable (PostgresConnection) throws -> T) async throws -> T {
        try await pool.run { connection in try connection.read(on: nil) { try body($0.connection) } }
    }

    /// Runs a write while no other process writes, and returns its result when it is committed.
    ///
    /// - Parameter changes: what to tell other processes when the write returns this result.
    func write<T: Sendable>(
        telling changes: @escaping @Sendable (T) -> [DirectoryChange] = { _ in [] },
        _ body: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        try await pool.run { [process] connection in
            try connection.transaction(.writing, on: nil) { session in
                try session.enqueue("LOCK TABLE directory_writer IN SHARE ROW EXCLUSIVE MODE")
                let result = try body(session.connection)
                for change in changes(result) {
                    try session.connection.notify(
                        Self.channel, PostgresDirectoryMessage(sender: process, change).text)
                }
                return (true, result)
            }
        }
    }
}
