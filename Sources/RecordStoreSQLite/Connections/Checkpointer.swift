import Foundation
import GRDB
import Synchronization

/// Runs checkpoints, which copy the write-ahead log into the database file: after many changes, when many
/// reads have come without a write between them.
///
/// Readers find pages in the file faster than in the log. While writes keep coming, this type does nothing:
/// SQLite's automatic checkpoints, which are rare and large, then limit the log. Reads and writes can run
/// during the copying.
final class Checkpointer: Sendable {
    private struct State {
        /// Reads since the last commit, or since the last check.
        var reads = 0
        /// The number of the last change.
        var written: Int64 = 0
        /// The number of the last change that is known to be in the database file.
        var checkpointed: Int64 = 0
        /// The connection for checkpoints, opened when it is first needed.
        var queue: DatabaseQueue?
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let open: @Sendable () throws -> DatabaseQueue

    /// The number of reads without a write between them after which the log is checked.
    static let reads = 64
    /// The minimum number of changes in the log for which a checkpoint runs.
    static let changes: Int64 = 1000

    init(open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// Sets the last change of a file that was just opened. Earlier changes count as being in the database
    /// file.
    func opened(at sequence: Int64) {
        state.withLock { state in
            state.written = sequence
            state.checkpointed = sequence
        }
    }

    /// Reports a commit.
    func wrote(upTo sequence: Int64) {
        state.withLock { state in
            state.reads = 0
            state.written = sequence
        }
    }

    /// Reports a read, and starts a checkpoint if one is due.
    func read() {
        let isDue = state.withLock { state in
            state.reads += 1
            guard state.reads >= Self.reads else { return false }
            state.reads = 0
            let isWorthIt = state.written - state.checkpointed >= Self.changes
            guard isWorthIt, !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            return true
        }
        if isDue { runCheckpoint() }
    }

    private func runCheckpoint() {
        let (queue, written) = state.withLock { ($0.queue, $0.written) }
        guard let queue = queue ?? (try? open()) else { return end(written: nil) }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.queue = queue }
            return state.isClosed
        }
        if isClosed { return }
        queue.asyncWriteWithoutTransaction { database in
            let row = try? Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            // The columns: whether another connection prevented it, the pages in the log, and how many of
            // them are in the file.
            let isWhole = row.map { $0[0] == 0 && $0[1] == ($0[2] as Int) } ?? false
            self.end(written: isWhole ? written : nil)
        }
    }

    /// Ends a checkpoint. It was incomplete if `written` is nil; then another one begins after `reads` reads.
    private func end(written: Int64?) {
        state.withLock { state in
            if let written { state.checkpointed = written }
            state.isRunning = false
        }
    }

    /// Waits until a checkpoint that has started ends.
    func settle() throws {
        try state.withLock(\.queue)?.read { _ in }
    }

    /// Waits until a checkpoint that has started ends, and closes the connection.
    func close() throws {
        let queue = state.withLock { state in
            state.isClosed = true
            return state.queue
        }
        try queue?.close()
    }
}
