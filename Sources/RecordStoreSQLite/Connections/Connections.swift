package import Foundation
package import GRDB
import GRDBSQLite
import Records
import SQLiteSupport
import Synchronization

/// One connection that writes and a bounded number that read beside it, each on a snapshot.
///
/// A store that is thrown away has the writing connection only: nothing is flushed, so nothing waits, and a
/// second connection would cost more than it gives.
final class Connections: Sendable {
    let writer: DatabaseQueue
    /// Whether work is done on the caller's thread, because nothing in it waits for a disk.
    let isInline: Bool
    let checkpointer: Checkpointer
    let readAhead = ReadAhead()
    /// Counts the work of reads on the writing connection, where there is no other.
    private let gauge: StepGauge
    private let readers: Mutex<Readers>
    private let openReader: @Sendable () throws -> ReadingConnection

    fileprivate struct Readers {
        var all: [Reader] = []
        /// How many stay open, and how many serve long reads.
        var limit: Int
    }

    fileprivate struct Reader {
        let connection: ReadingConnection
        /// Reads that run or wait.
        var users: Int
    }

    init(file: URL, durability: Durability, readers limit: Int) throws {
        let path = file.path
        isInline = durability == .none
        let gauge = StepGauge()
        self.gauge = gauge
        writer = try Self.openWriter(path, durability, gauge)
        checkpointer = Checkpointer { try DatabaseQueue(path: path, configuration: Self.common) }
        readers = Mutex(Readers(limit: limit))
        openReader = {
            let gauge = StepGauge()
            return ReadingConnection(queue: try Self.openReader(path, gauge), gauge: gauge)
        }
    }

    func close() throws {
        for reader in readers.withLock(\.all) { try reader.connection.queue.close() }
        try checkpointer.close()
        try writer.close()
    }

    /// Runs a read on a snapshot, on the caller's thread: a page of records takes less time than the way to
    /// another thread and back. What takes longer is broken off when the task's `ReadBudget` is used up.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        if isInline {
            return try writer.unsafeRead { database in try gauge.measuring { try body(database) } }
        }
        checkpointer.read()
        let reader = try takeIdle()
        defer { giveBack(reader) }
        return try reader.queue.unsafeRead { database in
            try Self.onSnapshot(database) { database in try reader.gauge.measuring { try body(database) } }
        }
    }

    /// Runs a read that may take long on a thread of its own, after others when too many run.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        if isInline { return try await writer.unsafeRead(body) }
        let reader = try takeAny()
        defer { giveBack(reader) }
        return try await reader.queue.unsafeRead { try Self.onSnapshot($0, body) }
    }

    /// Begins a read on a thread of its own that nobody waits for. `body` is called there once, without a
    /// database if there can be none; not at all when this throws.
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
        // Nothing was written, so there is nothing that an end could fail to keep.
        defer { try? SQL(database, "COMMIT").run() }
        return try body(database)
    }

    // MARK: Readers

    /// A connection that nobody else uses, so that no thread waits; there are at most as many as threads, and
    /// one for a page that is read ahead.
    private func takeIdle() throws -> ReadingConnection {
        try readers.withLock { $0.takeIdle() } ?? added()
    }

    /// An idle connection, a new one, or, when all that may be are busy, the one with the shortest queue.
    private func takeAny() throws -> ReadingConnection {
        try readers.withLock { $0.takeIdle() ?? $0.takeShortest() } ?? added()
    }

    private func added() throws -> ReadingConnection {
        let connection = try openReader()
        readers.withLock { $0.all.append(Reader(connection: connection, users: 1)) }
        return connection
    }

    private func giveBack(_ connection: ReadingConnection) {
        // One too many is closed when the last hand lets go of it, which may be on its own queue.
        readers.withLock { $0.giveBack(connection) }
    }

    // MARK: Set-up

    /// Bounds what the caches of all databases of this process take up together, once: a cache that grows
    /// beyond that takes its own oldest page instead of a new one.
    private static let boundedHeap = sqlite3_soft_heap_limit64(96 << 20)

    fileprivate static func openWriter(
        _ path: String, _ durability: Durability, _ gauge: StepGauge
    ) throws -> DatabaseQueue {
        _ = boundedHeap
        let writer = try DatabaseQueue(path: path, configuration: writing(durability, gauge))
        // Only now: after all preparations, switching on the log settles for less. What is promised of every
        // acknowledged write depends on this, so it is looked at.
        let level = try writer.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard level == (durability == .full ? 2 : 0) else {
            throw RecordError(.internalError, "the engine does not flush as it was told", culprit: path)
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
            // Fewer, larger checkpoints: each copies a page once that many commits have touched.
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 20000")
            // 16 MB instead of 2: every insert touches a page of each index, again and again.
            try database.execute(sql: "PRAGMA cache_size = -16000")
            // What a savepoint may have to undo.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            if durability == .none {
                try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
                try database.execute(sql: "PRAGMA journal_mode = MEMORY")
            }
        }
        return configuration
    }

    private static func reading(_ gauge: StepGauge) -> Configuration {
        var configuration = common
        configuration.readonly = true
        configuration.prepareDatabase { gauge.install(on: $0) }
        configuration.prepareDatabase { database in
            // Pages are looked at where the system has them, without a call and a copy for each.
            try database.execute(sql: "PRAGMA mmap_size = \(mappedBytes)")
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

    /// How much of a file may be seen through memory: address space, not memory.
    private static let mappedBytes = 1 << 32
}

/// Connections to the file of a store beside the store, with the same settings.
package enum StoreConnection {
    /// A connection that writes as a store does that is on disk: durability, page cache, checkpoints.
    package static func writing(_ file: URL) throws -> DatabaseQueue {
        try Connections.openWriter(file.path, .full, StepGauge())
    }

    /// A connection that reads as a store does.
    package static func reading(_ file: URL) throws -> DatabaseQueue {
        try Connections.openReader(file.path, StepGauge())
    }
}

/// A connection for reading, with what counts its work. The connection's configuration keeps the gauge.
private struct ReadingConnection: Sendable {
    let queue: DatabaseQueue
    let gauge: StepGauge
}

extension Connections.Readers {
    fileprivate mutating func takeIdle() -> ReadingConnection? {
        guard let index = all.lastIndex(where: { $0.users == 0 }) else { return nil }
        all[index].users = 1
        return all[index].connection
    }

    /// Nil when another may be opened.
    fileprivate mutating func takeShortest() -> ReadingConnection? {
        guard all.count >= limit, let index = all.indices.min(by: { all[$0].users < all[$1].users }) else {
            return nil
        }
        all[index].users += 1
        return all[index].connection
    }

    /// Lets go of the connection if it is one too many.
    fileprivate mutating func giveBack(_ connection: ReadingConnection) {
        guard let index = all.firstIndex(where: { $0.connection.queue === connection.queue }) else { return }
        all[index].users -= 1
        if all[index].users == 0, all.count > limit { all.remove(at: index) }
    }
}
