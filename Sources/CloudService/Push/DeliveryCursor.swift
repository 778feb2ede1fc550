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
        /// Notifications from before the database was opened that are posted after later ones.
        var skipped: [Range] = []
        var isBusy = false
        /// Whether the first of `skipped` is being posted.
        var isInSkipped = false
        /// Whether only the backlog may post.
        var isInBacklog = false
        /// The largest number that is known to exist.
        var wanted: Int64 = 0

        var hasWaiting: Bool { !skipped.isEmpty || reached < wanted }
    }

    private let state: Mutex<State>

    init(_ reached: Int64) {
        state = Mutex(State(reached: reached, start: reached))
    }

    /// Whether notifications remain to be posted. `last` is a number that is known to exist.
    func hasWaiting(upTo last: Int64) -> Bool {
        state.withLock { $0.hasWaiting || $0.reached < last }
    }

    /// Begins posting, for a request or for the backlog. Returns the notifications to post next; nil if there
    /// are none, if another task is posting, or if only the other of the two may post.
    func begin(upTo last: Int64, asBacklog: Bool = false) -> Range? {
        state.withLock { state in
            state.wanted = max(state.wanted, last)
            if state.isBusy || state.isInBacklog != asBacklog || !state.hasWaiting { return nil }
            state.isBusy = true
            guard let skipped = state.skipped.first else { return (state.reached, state.wanted) }
            state.isInSkipped = true
            return skipped
        }
    }

    /// Ends posting. The notifications of the range up to `number` are posted; `begin` returns the others
    /// again. Returns the number of the last posted notification, skipped ones left aside.
    @discardableResult
    func end(at number: Int64) -> Int64 {
        state.withLock { state in
            state.isBusy = false
            if state.isInSkipped {
                state.isInSkipped = false
                state.skipped[0].after = max(state.skipped[0].after, number)
                if state.skipped[0].after >= state.skipped[0].upTo { state.skipped.removeFirst() }
            } else {
                state.reached = max(state.reached, number)
                state.hasPosted = true
            }
            return state.reached
        }
    }

    /// Notes that another node has written the notifications after `number`, up to `last`.
    ///
    /// If they were written before the database was opened here, posting begins after `number` instead. If
    /// later ones were posted already, those after `number`, up to the number at which posting began, were
    /// skipped, and are posted next.
    func note(after number: Int64, upTo last: Int64) {
        state.withLock { state in
            state.wanted = max(state.wanted, last)
            if state.isCertain || number >= state.start { return }
            if state.hasPosted || state.isBusy {
                state.skipped.append((number, state.start))
            } else {
                state.reached = number
            }
            state.start = number
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
            if state.isInBacklog || !state.hasWaiting { return false }
            state.isInBacklog = true
            return true
        }
    }

    /// Lets requests post again if no notifications remain. Returns whether they may.
    func endBacklog() -> Bool {
        state.withLock { state in
            if !state.isBusy, !state.hasWaiting { state.isInBacklog = false }
            return !state.isInBacklog
        }
    }
}
