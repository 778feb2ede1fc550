import Foundation
import GRDB
import Synchronization

/// Copies the write-ahead log into the database file once many changes were written and then many reads came
/// without a write.
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
        var folded: Int64 = 0
        /// The connection that copies, opened when first needed.
        var queue: DatabaseQueue?
        var isRunning = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let open: @Sendable () throws -> DatabaseQueue

    /// This many reads without a write between them start a check.
    static let reads = 64
    /// With fewer changes than this in the log, it is not copied.
    static let changes: Int64 = 1000

    init(open: @escaping @Sendable () throws -> DatabaseQueue) {
        self.open = open
    }

    /// Sets the last change of a file that was just opened. Earlier changes count as copied.
    func opened(at sequence: Int64) {
        state.withLock { state in
            state.written = sequence
            state.folded = sequence
        }
    }

    /// Reports a commit.
    func wrote(upTo sequence: Int64) {
        state.withLock { state in
            state.reads = 0
            state.written = sequence
        }
    }

    /// Reports a read, and starts to copy if it is time.
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
            // The columns: whether another connection prevented it, the pages in the log, and how many of
            // them are in the file.
            let isWhole = row.map { $0[0] == 0 && $0[1] == ($0[2] as Int) } ?? false
            self.end(written: isWhole ? written : nil)
        }
    }

    /// Ends a copying. Without a number it was incomplete, and is tried again after another `reads` reads.
    private func end(written: Int64?) {
        state.withLock { state in
            if let written { state.folded = written }
            state.isRunning = false
        }
    }

    /// Waits until a copying that has started ends.
    func settle() throws {
        try state.withLock(\.queue)?.read { _ in }
    }

    /// Waits until a copying that has started ends, and closes the connection.
    func close() throws {
        let queue = state.withLock { state in
            state.isClosed = true
            return state.queue
        }
        try queue?.close()
    }
}
