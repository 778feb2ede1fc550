package import Foundation
import GRDB
package import RecordStore
package import Records
package import SQLiteSupport

/// A `RecordStore` in one SQLite file.
///
/// Reads run in parallel on a limited number of connections, each on a snapshot. Writes go through one queue
/// that commits them in groups.
package final class SQLiteStore: RecordStore {
    let connections: Connections
    let writer: CommitQueue
    let codec: any FieldCodec
    var shapes: StatementShapes { connections.shapes }

    /// Opens the file, or creates it, and migrates it to the current schema. Throws `RecordError`.
    ///
    /// - Parameters:
    ///   - readers: how many reading connections stay open; nil means one for each processor, and at least
    ///     four.
    ///   - newIdentity: the identity of a new database, by which tokens of other databases are recognised.
    ///   - firstNumber: changes and notifications of a new database get numbers above this one.
    ///   - notificationLimits: limits for the notifications of each person.
    ///   - uptime: the clock that ends a group of writes after its time; the default never ends one.
    package init(
        file: URL, durability: Durability = .full, readers: Int? = nil, newIdentity: Int64,
        firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits = NotificationLimits(),
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) throws {
        do {
            let readers = readers ?? max(4, ProcessInfo.processInfo.activeProcessorCount)
            connections = try Connections(file: file, durability: durability, readers: readers)
            try StoreMigrations.migrator.migrate(file, connections.writer)
            let (state, subscribers) = try connections.writer.write { database in
                (
                    try WriterState(
                        database, newIdentity: newIdentity, firstNumber: firstNumber, codec: codec),
                    try SubscriptionCache(database, codec: codec, notificationLimits: notificationLimits)
                )
            }
            connections.checkpointer.opened(at: state.sequence)
            writer = CommitQueue(
                connections: connections, state: state, subscriptions: subscribers, uptime: uptime)
            self.codec = codec
        } catch {
            throw RecordError(storage: error, opening: file)
        }
    }

    /// Opens or creates a file on a thread that may wait for the disk.
    package static func open(
        file: URL, durability: Durability, newIdentity: Int64, firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits,
        uptime: @escaping @Sendable () -> Duration
    ) async throws -> SQLiteStore {
        try await BlockingWork.run {
            try SQLiteStore(
                file: file, durability: durability, newIdentity: newIdentity, firstNumber: firstNumber,
                codec: codec, notificationLimits: notificationLimits, uptime: uptime
            )
        }
    }

    package func close() async throws {
        let connections = connections
        do {
            try await BlockingWork.run { try connections.close() }
        } catch { throw RecordError(storage: error) }
    }

    package func interruptWrites() { writer.interrupt() }

    /// Returns the faults of the file, one for each line; empty for a sound file. They come from SQLite's own
    /// check or, if that finds none, from `ConsistencyCheck`.
    package func faults() async throws -> [String] {
        let codec = codec
        return try await readAside { database in
            let faults = try database.engineProblems()
            // If SQLite cannot read the file, comparing its tables means nothing.
            return try faults.isEmpty ? ConsistencyCheck(database: database, codec: codec).faults() : faults
        }
    }

    /// Runs a read on a snapshot. Throws `RecordError` for errors of SQLite, and `ReadBudget.Exceeded` if the
    /// task's budget is used up before the read is done.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try connections.read(body)
        } catch let error as ReadBudget.Exceeded {
            throw error
        } catch {
            throw RecordError(storage: error)
        }
    }

    /// Runs a read that may take long on another thread.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await connections.readAside(body) } catch { throw RecordError(storage: error) }
    }

    /// Runs a write, and returns its result when it is on disk.
    ///
    /// - Parameters:
    ///   - payer: the person on whose behalf it writes; payers take turns.
    ///   - weight: about how many bytes of fields it writes.
    ///   - body: Returns a result, and whether the write stands. If it does not, the write is undone; the
    ///     result is returned nevertheless.
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
