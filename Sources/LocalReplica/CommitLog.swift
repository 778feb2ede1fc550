import Dispatch
import Foundation
import GRDB
import Synchronization

/// The write-ahead log of a replica: the file to which SQLite appends each transaction.
///
/// A flush of the log brings to the disk all transactions that were committed without a flush. The log is
/// read up to the first transaction that is incomplete, so after a power failure the last transactions may be
/// missing, but none in between.
///
/// After a flush that failed, the system may report later ones as successful although they did not write the
/// earlier transactions. So nothing can be committed or flushed any more, until the replica is opened again.
final class CommitLog: Sendable {
    private struct State {
        /// Whether a transaction is in progress that is not flushed at its end.
        var isOpen = false
        /// Whether such a transaction was committed since the last flush. An earlier process may have left
        /// some.
        var isBehind = true
        /// Whether a flush has failed.
        var hasFailed = false
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
    func unflushed<T>(_ transaction: () throws -> T) throws -> T {
        // Readers may see the transaction before this method has ended.
        try withState { $0.isOpen = true }
        defer { state.withLock { ($0.isOpen, $0.isBehind) = (false, true) } }
        return try transaction()
    }

    /// Runs a transaction that SQLite flushes at its end.
    func flushed<T>(_ transaction: () throws -> T) throws -> T {
        try checkEarlierFlushes()
        do { return try transaction() } catch let error as DatabaseError where error.isFailedFlush {
            state.withLock { $0.hasFailed = true }
            throw error
        }
    }

    /// Waits until all committed transactions are on disk.
    func flush() async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.flushNow() }) }
        }
    }

    private func flushNow() throws {
        let isBehind = try withState { state in
            defer { state.isBehind = false }
            return state.isOpen || state.isBehind
        }
        if !isBehind { return }
        // SQLite has its locks on other files, so closing a descriptor of this one releases none of them.
        do { try fileSystem.flush(file) } catch {
            state.withLock { $0.hasFailed = true }
            throw error
        }
        // A flush of SQLite may have failed meanwhile.
        try checkEarlierFlushes()
    }

    /// - Throws: `ReplicaError` if a flush has failed.
    private func checkEarlierFlushes() throws { try withState { _ in } }

    /// Reads or changes the state, unless a flush has failed.
    ///
    /// - Throws: `ReplicaError` if a flush has failed.
    private func withState<T: Sendable>(_ body: (inout State) -> T) throws -> T {
        try state.withLock { state in
            if !state.hasFailed { return body(&state) }
            throw ReplicaError(
                .storage, file.path, "the disk has failed to store earlier changes",
                nextStep: "check the disk, then open the replica again")
        }
    }
}

extension DatabaseError {
    fileprivate var isFailedFlush: Bool {
        [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(extendedResultCode)
    }
}
