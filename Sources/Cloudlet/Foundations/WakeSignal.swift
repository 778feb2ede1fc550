import Synchronization

/// Wakes a waiting task. Reasons that arrive while no task waits are accumulated.
package final class WakeSignal<Reasons: Sendable>: Sendable {
    private struct State {
        var reasons: Reasons?
        var sleeper: CheckedContinuation<Void, Never>?
    }

    private let none: Reasons
    private let state = Mutex(State())

    /// Creates a signal without reasons.
    ///
    /// - Parameter none: The value to which the first reason is added.
    package init(none: Reasons) {
        self.none = none
    }

    /// Adds a reason, and wakes the task that waits.
    package func send(_ change: (inout Reasons) -> Void = { _ in }) {
        wake { state in
            var reasons = state.reasons ?? none
            change(&reasons)
            state.reasons = reasons
        }
    }

    /// Waits until there is a reason. Throws `CancellationError`.
    package func wait() async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper in
                let mustWait = state.withLock { state in
                    if state.reasons != nil || Task.isCancelled { return false }
                    state.sleeper = sleeper
                    return true
                }
                if !mustWait { sleeper.resume() }
            }
        } onCancel: {
            wake { _ in }
        }
        try Task.checkCancellation()
    }

    /// Returns and clears the accumulated reasons; nil if there are none.
    package func take() -> Reasons? {
        state.withLock { state in
            defer { state.reasons = nil }
            return state.reasons
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let sleeper = state.withLock { state in
            change(&state)
            defer { state.sleeper = nil }
            return state.sleeper
        }
        sleeper?.resume()
    }
}
