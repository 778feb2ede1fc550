import Synchronization

/// The number of the last posted notification of an open database, and whether requests or the backlog post
/// the next ones.
final class DeliveryCursor: Sendable {
    private struct State {
        var reached: Int64
        var isBusy = false
        /// Whether only the backlog may post.
        var isInBacklog = false
        /// The largest number that a call of `begin` has named, so that the backlog knows how far to post.
        var wanted: Int64 = 0
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached))
    }

    /// Begins posting. Returns the number of the last posted notification; nil if there is no newer one, or
    /// if another task is posting.
    func begin(upTo last: Int64, asBacklog: Bool = false) -> Int64? {
        state.withLock { state in
            state.wanted = max(state.wanted, last)
            if state.isBusy || state.isInBacklog != asBacklog || state.reached >= last { return nil }
            state.isBusy = true
            return state.reached
        }
    }

    /// Sets the number of the last posted notification.
    func end(at number: Int64) {
        state.withLock { state in
            state.reached = max(state.reached, number)
            state.isBusy = false
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
