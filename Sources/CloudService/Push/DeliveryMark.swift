import Synchronization

/// The number of the last posted notification of an open database, and whether requests or the backlog post
/// the next ones.
final class DeliveryMark: Sendable {
    private struct State {
        var reached: Int64
        var isBusy = false
        /// Whether the backlog posts, and requests do not.
        var isInBacklog = false
        /// The largest number that a request left to the backlog.
        var wanted: Int64 = 0
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached))
    }

    /// The number after which to continue; nil when nothing is new, or somebody else is posting.
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

    /// Leaves the rest to the backlog. Returns false if there is none, or the backlog has it already.
    func leaveToBacklog() -> Bool {
        state.withLock { state in
            if state.isInBacklog || state.reached >= state.wanted { return false }
            state.isInBacklog = true
            return true
        }
    }

    /// Ends the work of the backlog if nothing is left. Returns whether it has ended.
    func endBacklog() -> Bool {
        state.withLock { state in
            if !state.isBusy, state.reached >= state.wanted { state.isInBacklog = false }
            return !state.isInBacklog
        }
    }
}
