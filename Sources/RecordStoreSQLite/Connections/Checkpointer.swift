import Foundation
import GRDB
import Synchronization

/// Copies the log into the file once many records were written and then many reads came without a write.
///
/// Readers find pages in the file faster than in the log. While writes keep coming nothing is done here: what
/// the log has gathered by itself is folded by the writer, seldom and much at a time. Reads and writes go on
/// beside the copying.
final class Checkpointer: Sendable {
    private struct State {
        /// Reads since the last commit, or since they last led to something.
        var reads = 0
        /// The number of the last change, and of the last that is known to be in the file.
        var written: Int64 = 0
        var folded: Int64 = 0
        /// The connection that copies, opened when first needed.
        var queue: DatabaseQueue?
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let open: @Sendable () throws -> DatabaseQueue

    /// Reads in a row that show that nobody writes.
    static let reads = 64
    /// Changes below which the log is short enough.
    static let changes: Int64 = 1000

    init(open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// Takes note of the last change in a file that was just opened: what came before counts as folded.
    func opened(at sequence: Int64) {
        state.withLock { state in
            state.written = sequence
            state.folded = sequence
        }
    }

    /// Takes note of a commit.
    func wrote(upTo sequence: Int64) {
        state.withLock { state in
            state.reads = 0
            state.written = sequence
        }
    }

    /// Takes note of a read, and begins to copy when it is time.
    func read() {
        let isDue = state.withLock { state in
            state.reads += 1
            guard state.reads >= Self.reads else { return false }
            state.reads = 0
            let isWorthIt = state.written - state.folded >= Self.changes
            guard isWorthIt, !state.isRunning, !state.isClosed else { return false }
            state.isRunning = true
            return true
        }
        if isDue { fold() }
    }

    private func fold() {
        let (queue, written) = state.withLock { ($0.queue, $0.written) }
        guard let queue = queue ?? (try? open()) else { return end(written: nil) }
        let isClosed = state.withLock { state in
            if !state.isClosed { state.queue = queue }
            return state.isClosed
        }
        if isClosed { return }
        queue.asyncWriteWithoutTransaction { database in
            let row = try? Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(PASSIVE)")
            // Whether somebody was in the way, the pages in the log, and how many of them are in the file.
            let isWhole = row.map { $0[0] == 0 && $0[1] == ($0[2] as Int) } ?? false
            self.end(written: isWhole ? written : nil)
        }
    }

    /// What is not done is tried again after as many reads.
    private func end(written: Int64?) {
        state.withLock { state in
            if let written { state.folded = written }
            state.isRunning = false
        }
    }

    /// Waits for what has begun.
    func settle() throws {
        try state.withLock(\.queue)?.read { _ in }
    }

    /// Waits for what has begun, and closes the connection.
    func close() throws {
        let queue = state.withLock { state in
            state.isClosed = true
            return state.queue
        }
        try queue?.close()
    }
}
