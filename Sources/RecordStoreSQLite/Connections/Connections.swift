package import Foundation
package import GRDB
import GRDBSQLite
import RecordStore
import Records
import SQLiteSupport
import Synchronization

/// The connections to a database file: one that writes, and a limited number that read beside it, each on a
/// snapshot.
///
/// A store that need not survive its process has the writing connection only: nothing is flushed, so no
/// thread waits for a disk, and a second connection would cost more than it gains.
final class Connections: Sendable {
    let writer: DatabaseQueue
    /// Whether all work runs on the caller's thread, because it never waits for a disk.
    let isInline: Bool
    let checkpointer: Checkpointer
    let logLimit: LogLimit
    let readAhead = ReadAhead()
    /// The statements of queries that stay in the caches of the connections.
    let shapes = StatementShapes()
    /// Interrupts the writing connection, and counts the work of reads on it if there is no other.
    private let gauge: StepGauge
    private let readers: Mutex<Readers>
    private let openReader: @Sendable () throws -> ReadingConnection
    /// Number of commits that changed tables or indexes.
    private let layout = Atomic(0)
    /// The caches of the writing connection, if it also reads.
    private let caches = ConnectionCaches()

    fileprivate struct Readers {
        var all: [Reader] = []
        /// The number of connections that stay open, and that serve long reads.
        var limit: Int
    }

    fileprivate struct Reader {
        let connection: ReadingConnection
        /// The number of reads that run or wait on the connection.
        var users: Int
    }

    /// - Parameters:
    ///   - limit: the number of reading connections that stay open.
    ///   - logBytes: the limit for the size of the write-ahead log.
    init(
        file: URL, durability: Durability, readers limit: Int, logBytes: Int64 = LogLimit.bytes
    ) throws {
        let path = file.path
        isInline = durability == .none
        let gauge = StepGauge()
        self.gauge = gauge
        writer = try Self.openWriter(path, durability, gauge)
        checkpointer = Checkpointer { try DatabaseQueue(path: path, configuration: Self.common) }
        logLimit = LogLimit(logBytes)
        readers = Mutex(Readers(limit: limit))
        openReader = {
            let gauge = StepGauge()
            return ReadingConnection(try Self.openReader(path, gauge), gauge)
        }
    }

    func close() throws {
        for reader in readers.withLock(\.all) { try reader.connection.queue.close() }
        try checkpointer.close()
        try writer.close()
    }

    /// Interrupts the running statement of the writing connection and all later ones.
    func interruptWriter() { gauge.stop() }

    /// Whether the writer was interrupted.
    var isWriterInterrupted: Bool { gauge.isInterrupted }

    /// Runs a statement of the writer that begins or ends a transaction or savepoint, also while the writer
    /// is interrupted.
    func runUninterrupted(_ statement: String, _ database: Database) throws {
        try gauge.uninterrupted { try SQL(database, statement).run() }
    }

    /// Runs a read on a snapshot, on the caller's thread, because reading a page of records takes less time
    /// than switching threads. A read that takes longer is interrupted when the task's `ReadBudget` is used
    /// up.
    ///
    /// Throws `tryAgainLater` for a slow read while `logLimit` permits none.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        if isInline {
            return try writer.unsafeRead { database in
                try caches.update(to: version, of: database)
                return try gauge.measuring { try body(database) }
            }
        }
        checkpointer.read()
        let isSlow = ReadBudget.current?.isSlow == true
        if isSlow { try logLimit.beginSlowRead() }
        defer { if isSlow { endSlowRead() } }
        let reader = try takeIdle()
        defer { giveBack(reader) }
        return try reader.queue.unsafeRead { database in
            try Self.onSnapshot(database) { database in
                try reader.caches.update(to: version, of: database)
                return try reader.gauge.measuring { try body(database) }
            }
        }
    }

    private func endSlowRead() {
        guard logLimit.endSlowRead() else { return }
        writer.asyncWriteWithoutTransaction { [logLimit] database in logLimit.enforce(database) }
    }

    /// Call it after a commit that changed tables or indexes. The readers then reload the layout.
    func layoutChanged() {
        layout.wrappingAdd(1, ordering: .releasing)
    }

    /// Grows whenever tables or indexes have changed, or cached statements are to be dropped.
    private var version: Int { layout.load(ordering: .acquiring) + shapes.generation }

    /// Runs a read that may take long on another thread. If too many run, it waits for one of them.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        if isInline { return try await writer.unsafeRead(body) }
        let reader = try takeAny()
        defer { giveBack(reader) }
        return try await reader.queue.unsafeRead { try Self.onSnapshot($0, body) }
    }

    /// Starts a read on another thread, and returns without waiting for it. `body` is called once, with nil
    /// if the read cannot begin; it is not called if this method throws.
    func beginRead(_ body: @escaping @Sendable (Database?) -> Void) throws {
        let reader = try takeIdle()
        reader.queue.asyncUnsafeRead { database in
            defer { self.giveBack(reader) }
            guard let database = try? database.get(), (try? SQL(database, "BEGIN").run()) != nil else {
                return body(nil)
            }
            body(database)
            try? SQL(database, "COMMIT").run()
        }
    }

    private static func onSnapshot<T>(_ database: Database, _ body: (Database) throws -> T) throws -> T {
        try SQL(database, "BEGIN").run()
        // A read-only transaction has no changes that a failing commit could lose.
        defer { try? SQL(database, "COMMIT").run() }
        return try body(database)
    }

    // MARK: Readers

    /// Returns an idle or a new connection, so that no thread waits. There are never more than threads that
    /// read, and one for reading ahead.
    private func takeIdle() throws -> ReadingConnection {
        try readers.withLock { $0.takeIdle() } ?? added()
    }

    /// Returns an idle connection, or a new one, or the one with the fewest users if the limit is reached.
    private func takeAny() throws -> ReadingConnection {
        try readers.withLock { $0.takeIdle() ?? $0.takeShortest() } ?? added()
    }

    private func added() throws -> ReadingConnection {
        let connection = try openReader()
        readers.withLock { $0.all.append(Reader(connection: connection, users: 1)) }
        return connection
    }

    private func giveBack(_ connection: ReadingConnection) {
        // A connection above the limit is closed when its last reference is released, which may be on its own
        // queue.
        readers.withLock { $0.giveBack(connection) }
    }

    // MARK: Set-up

    /// Limits the page caches of all databases of this process together, once. A cache that would exceed the
    /// limit replaces its oldest page instead of adding one.
    private static let boundedHeap = sqlite3_soft_heap_limit64(96 << 20)

    fileprivate static func openWriter(
        _ path: String, _ durability: Durability, _ gauge: StepGauge
    ) throws -> DatabaseQueue {
        _ = boundedHeap
        let writer = try DatabaseQueue(path: path, configuration: writing(durability, gauge))
        // Set this last: the switch to write-ahead logging in the preparations lowers the level. The
        // durability of each acknowledged write depends on it, so check it.
        let level = try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard level == (durability == .full ? 2 : 0) else {
            throw RecordError(.internalError, "SQLite did not accept the synchronous setting", culprit: path)
        }
        return writer
    }

    fileprivate static func openReader(_ path: String, _ gauge: StepGauge) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: reading(gauge))
    }

    private static func writing(
        _ durability: Durability, _ gauge: StepGauge
    ) -> Configuration {
        var configuration = common
        configuration.prepareDatabase { gauge.install(on: $0) }
        configuration.journalMode = durability == .none ? .default : .wal
        configuration.prepareDatabase { database in
            // Rare, large checkpoints: each copies a page once, however many commits have changed it.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 20000")
            // 16 MB instead of 2 MB: each insert changes a page of each index, and often the same pages.
            try database.execute(sql: "PRAGMA cache_size = -16000")
            // The pages that a rollback to a savepoint restores are kept in memory.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            if durability == .none {
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            } else {
                try database.keepLogFiles()
            }
        }
        return configuration
    }

    private static func reading(_ gauge: StepGauge) -> Configuration {
        var configuration = common
        configuration.readonly = true
        configuration.prepareDatabase { gauge.install(on: $0) }
        configuration.prepareDatabase { database in
            // Without memory mapping, an unreadable page is an error of the read. With it, the signal SIGBUS
            // would end the whole process.
            try database.execute(sql: "PRAGMA mmap_size = 0")
        }
        return configuration
    }

    private static var common: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        // The rules of the store keep references between tables, and `ConsistencyCheck` verifies them. With
        // foreign keys switched on, SQLite would scan whole tables for each deleted row.
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { SQLFunctions.add(to: $0) }
        return configuration
    }
}

/// Opens further connections to the file of a store, with the same settings.
package enum StoreConnection {
    /// A connection that writes like a store on disk: with the same durability, page cache and checkpoints.
    package static func writing(_ file: URL) throws -> DatabaseQueue {
        try Connections.openWriter(file.path, .full, StepGauge())
    }

    /// A connection that reads like a store.
    package static func reading(_ file: URL) throws -> DatabaseQueue {
        try Connections.openReader(file.path, StepGauge())
    }
}

/// A reading connection with the gauge that counts its work. The gauge must live as long as the connection,
/// whose configuration keeps it alive.
private final class ReadingConnection: Sendable {
    let queue: DatabaseQueue
    let gauge: StepGauge
    let caches = ConnectionCaches()

    init(_ queue: DatabaseQueue, _ gauge: StepGauge) {
        self.queue = queue
        self.gauge = gauge
    }
}

/// The cached statements and table definitions of one connection.
private final class ConnectionCaches: Sendable {
    /// The `Connections.version` with which the connection has read last; -1 for a new connection.
    private let version = Atomic(-1)

    /// Drops the cached statements and lets SQLite read the definitions of all tables and indexes, if the
    /// version has changed.
    ///
    /// Otherwise SQLite would read the definitions within the next statement, and a short read could use up
    /// its budget because of changes by other requests.
    func update(to present: Int, of database: Database) throws {
        if version.load(ordering: .relaxed) == present { return }
        database.clearSchemaCache()
        try SQL(database, "SELECT 1 FROM sqlite_schema LIMIT 0").run()
        version.store(present, ordering: .relaxed)
    }
}

extension Connections.Readers {
    fileprivate mutating func takeIdle() -> ReadingConnection? {
        guard let index = all.lastIndex(where: { $0.users == 0 }) else { return nil }
        all[index].users = 1
        return all[index].connection
    }

    /// Returns the connection with the fewest users; nil if another one may be opened.
    fileprivate mutating func takeShortest() -> ReadingConnection? {
        guard all.count >= limit, let index = all.indices.min(by: { all[$0].users < all[$1].users }) else {
            return nil
        }
        all[index].users += 1
        return all[index].connection
    }

    /// Subtracts a user, and removes the connection if there are more than the limit.
    fileprivate mutating func giveBack(_ connection: ReadingConnection) {
        guard let index = all.firstIndex(where: { $0.connection === connection }) else { return }
        all[index].users -= 1
        if all[index].users == 0, all.count > limit { all.remove(at: index) }
    }
}
