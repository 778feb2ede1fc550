import GRDB
import Records
import SQLiteSupport
import Synchronization

/// Limits the size of a database's write-ahead log.
///
/// SQLite overwrites the log from its beginning when all of it is in the database file and no read uses it.
/// Slow reads that overlap prevent this for as long as others follow. So when the log exceeds the limit, no
/// slow read begins until the running ones have ended and a checkpoint has emptied the log. Writes and
/// ordinary reads continue; the checkpoint waits for the few that run.
final class LogLimit: Sendable {
    private struct State {
        /// The size in bytes above which the log is emptied.
        var limit: Int64
        /// The number of slow reads that run.
        var slowReads = 0
        /// Whether the log is to be emptied.
        var isExceeded = false
    }

    private let limit: Int64
    private let state: Mutex<State>

    /// The default limit in bytes: about three times the size at which SQLite copies the log into the
    /// database file.
    static let bytes: Int64 = 256 << 20

    /// - Parameter limit: the limit in bytes.
    init(_ limit: Int64) {
        self.limit = limit
        state = Mutex(State(limit: limit))
    }

    /// Call it before a slow read. Throws `tryAgainLater` while the log is to be emptied.
    func beginSlowRead() throws {
        let isAllowed = state.withLock { state in
            if state.isExceeded { return false }
            state.slowReads += 1
            return true
        }
        if !isAllowed {
            throw RecordError(
                .tryAgainLater, "the database is busy with changes", culprit: "request",
                nextStep: "send the request again in a moment, or one that reads less", retryAfter: 1)
        }
    }

    /// Call it after a slow read whose snapshot has ended. Returns whether `enforce` must be called, because
    /// this was the last read that it waited for.
    func endSlowRead() -> Bool {
        state.withLock { state in
            state.slowReads -= 1
            return state.isExceeded && state.slowReads == 0
        }
    }

    /// Empties the log if it exceeds the limit and no slow read runs. Call it on the writing connection,
    /// outside of a transaction, after each commit and when `endSlowRead` asks for it.
    func enforce(_ database: Database) {
        let size = database.logSize
        let isDue = state.withLock { state in
            if size > state.limit { state.isExceeded = true }
            return state.isExceeded && state.slowReads == 0
        }
        guard isDue else { return }
        // The first column of the result: whether another connection prevented it.
        let isEmpty = (try? Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")) == 0
        state.withLock { state in
            // A read that the limit does not control is in the way, such as a check of the whole file. Each
            // attempt keeps writers waiting, so the next one comes when the log has grown by as much again.
            state.limit = isEmpty ? limit : size + limit
            state.isExceeded = false
        }
    }
}
