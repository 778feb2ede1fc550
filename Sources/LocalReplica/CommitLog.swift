import Dispatch
import Foundation
import Synchronization

/// The write-ahead log of a replica: the file to which SQLite appends each transaction.
///
/// A flush of the log brings all transactions to the disk that have been committed without one. The log is
/// read up to the first transaction that is incomplete, so after a power failure the last transactions may be
/// missing, but none in between.
final class CommitLog: Sendable {
    private struct State {
        /// Whether a transaction is in progress that is not flushed at its end.
        var isOpen = false
        /// Whether such a transaction was committed since the last flush.
        var isBehind = false
    }

    private let file: URL
    private let fileSystem: FileSystemCalls
    private let state = Mutex(State())
    /// Serial, so that a flush waits for one that is going on.
    private let queue = DispatchQueue(label: "replica.flush")

    /// - Parameter database: The file of the database; the log is beside it.
    init(of database: URL, fileSystem: FileSystemCalls) {
        file = URL(fileURLWithPath: database.path + "-wal")
        self.fileSystem = fileSystem
    }

    /// Runs a transaction that SQLite does not flush at its end.
    func unflushed<T>(_ transaction: () throws -> T) rethrows -> T {
        // Readers may see the transaction before this method has ended.
        state.withLock { $0.isOpen = true }
        defer { state.withLock { $0 = State(isBehind: true) } }
        return try transaction()
    }

    /// Waits until all committed transactions are on disk.
    func flush() async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.flushNow() }) }
        }
    }

    private func flushNow() throws {
        let isBehind = state.withLock { state in
            defer { state.isBehind = false }
            return state.isOpen || state.isBehind
        }
        if !isBehind { return }
        do { try fileSystem.flush(file) } catch {
            state.withLock { $0.isBehind = true }
            throw error
        }
    }
}
