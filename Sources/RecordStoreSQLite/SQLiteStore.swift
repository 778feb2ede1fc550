import Dispatch
package import Foundation
import GRDB
package import RecordStore
package import Records
package import SQLiteSupport

/// One database in one SQLite file.
///
/// Reads run side by side on a bounded number of connections, each on a snapshot; writes go through one queue
/// that commits them in groups.
package final class SQLiteStore: RecordStore {
    let connections: Connections
    let writer: CommitQueue
    let codec: any FieldCodec
    let shapes = StatementShapes()

    /// Opens or creates a file.
    ///
    /// - Parameters:
    ///   - readers: how many connections for reading stay open; nil: as many as threads can read at once, and
    ///     four at least.
    ///   - newIdentity: what tells a new database from others; used when the file is created.
    ///   - firstNumber: after which number changes and notifications are counted in a new database.
    ///   - notificationLimits: what a person's unread notifications may take up.
    ///   - uptime: by which a group of writes that takes long ends; without it, none takes any time.
    package init(
        file: URL, durability: Durability = .full, readers: Int? = nil, newIdentity: Int64,
        firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits = NotificationLimits(),
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) throws {
        do {
            let readers = readers ?? max(4, ProcessInfo.processInfo.activeProcessorCount)
            connections = try Connections(file: file, durability: durability, readers: readers)
            try Migrations.migrator.migrate(file, connections.writer)
            let (state, book) = try connections.writer.write { database in
                (
                    try WriterState(
                        database, newIdentity: newIdentity, firstNumber: firstNumber, codec: codec),
                    try SubscriptionBook(database, codec: codec, notificationLimits: notificationLimits)
                )
            }
            connections.checkpointer.opened(at: state.sequence)
            writer = CommitQueue(
                connections: connections, state: state, subscriptions: book, uptime: uptime)
            self.codec = codec
        } catch {
            throw RecordError(storage: error)
        }
    }

    /// Opens or creates a file on a thread that may wait for the disk.
    package static func open(
        file: URL, durability: Durability, newIdentity: Int64, firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits,
        uptime: @escaping @Sendable () -> Duration
    ) async throws -> SQLiteStore {
        try await aside {
            try SQLiteStore(
                file: file, durability: durability, newIdentity: newIdentity, firstNumber: firstNumber,
                codec: codec, notificationLimits: notificationLimits, uptime: uptime
            )
        }
    }

    /// Does what waits for the disk where no other work is held up by it.
    private static func aside<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { answer in
            DispatchQueue.global().async { answer.resume(with: Result(catching: work)) }
        }
    }

    package func close() async throws {
        let connections = connections
        do { try await Self.aside { try connections.close() } } catch { throw RecordError(storage: error) }
    }

    /// What is wrong with the file, a line each; empty for a sound file: what the engine finds, and what our
    /// tables say against one another.
    package func faults() async throws -> [String] {
        let codec = codec
        return try await readAside { database in
            let faults = try database.engineFaults()
            // What the engine cannot read is no ground for further questions.
            return try faults.isEmpty ? ConsistencyCheck(database: database, codec: codec).faults() : faults
        }
    }

    /// Runs a read on a snapshot, translating what the engine throws.
    ///
    /// Throws `ReadBudget.Exceeded` when the task's budget is used up before the read is done.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try connections.read(body)
        } catch let error as ReadBudget.Exceeded {
            throw error
        } catch {
            throw RecordError(storage: error)
        }
    }

    /// Runs a read that may take long on a thread of its own.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await connections.readAside(body) } catch { throw RecordError(storage: error) }
    }

    /// Runs a write and returns its result when it is on disk. Who pays for it, and about how many bytes of
    /// fields it writes, decides whose turn is next.
    func write<T: Sendable>(
        for payer: String = "", weight: Int = 1024,
        _ body: @escaping @Sendable (Database, inout WriterState) throws -> (stands: Bool, result: T)
    ) async throws -> T {
        let box = ResultBox<T>()
        try await writer.submit(for: payer, weight: weight) { database, state in
            let (stands, result) = try body(database, &state)
            box.set(result)
            return stands
        }
        guard let result = box.take() else { throw RecordError(.internalError, "a write gave no result") }
        return result
    }
}
