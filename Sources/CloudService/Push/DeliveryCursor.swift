import Synchronization

/// The number of the last posted notification of an open database, and whether requests or the backlog post
/// the next ones.
final class DeliveryCursor: Sendable {
    /// Notifications to post: those after a number, up to the last.
    typealias Range = (after: Int64, upTo: Int64)

    private struct State {
        var reached: Int64
        /// Posting since the database was opened begins after this number.
        var start: Int64
        /// Whether this node has posted, or need not post, all notifications up to `start`.
        var isCertain = false
        var hasPosted = false
        var isBusy = false
        /// Whether only the backlog may post.
        var isInBacklog = false
        /// The largest number that is known to exist.
        var wanted: Int64 = 0
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached, start: reached))
    }

    /// Whether notifications remain to be posted. `last` is a number that is known to exist.
    func hasWaiting(upTo last: Int64) -> Bool {
        state.withLock { $0.reached < max($0.wanted, last) }
    }

    /// Begins posting, for a request or for the backlog. Returns the notifications to post next; nil if there
    /// are none, if another task is posting, or if only the other of the two may post.
    func begin(upTo last: Int64, asBacklog: Bool = false) -> Range? {
        state.withLock { state in
            state.wanted = max(state.wanted, last)
            if state.isBusy || state.isInBacklog != asBacklog || state.reached >= state.wanted { return nil }
            state.isBusy = true
            return (state.reached, state.wanted)
        }
    }

    /// Ends posting, and sets the number of the last posted notification.
    func end(at number: Int64) {
        state.withLock { state in
            state.reached = max(state.reached, number)
            state.isBusy = false
            state.hasPosted = true
        }
    }

    /// Notes that another node has written the notifications after `number`, up to `last`.
    ///
    /// If they were written before the database was opened here, posting begins after `number` instead. If
    /// later ones were posted already, returns the skipped ones: those after `number`, up to the number at
    /// which posting began.
    func note(after number: Int64, upTo last: Int64) -> Range? {
        state.withLock { state in
            state.wanted = max(state.wanted, last)
            if state.isCertain || number >= state.start { return nil }
            defer { state.start = number }
            if state.hasPosted || state.isBusy { return (number, state.start) }
            state.reached = number
            return nil
        }
    }

    /// Begins after a number that this node had reached before the database was closed and opened again.
    func resume(after number: Int64) {
        state.withLock { state in
            if state.isCertain || state.hasPosted || state.isBusy { return }
            state.reached = min(state.reached, number)
            state.start = state.reached
            state.isCertain = true
        }
    }

    /// Leaves the remaining notifications to the backlog. Returns false if there are none, or if the backlog
    /// has them already.
    func leaveToBacklog() -> Bool {
        state.withLock { state in
            if state.isInBacklog || state.reached >= state.wanted { return false }
            state.isInBacklog = true
            return true
        }
    }

    /// Lets requests post again if no notifications remain. Returns whether they may.
    func endBacklog() -> Bool {
        state.withLock { state in
            if !state.isBusy, state.reached >= state.wanted { state.isInBacklog = false }
            return !state.isInBacklog
        }
    }
}
