package import Records
import Synchronization

/// Runs a limited number of pieces of work at a time; others wait. Each payer has a limited share, and those
/// who have used less time come first (`FairQueue`).
package final class FairTurns<Payer: Hashable & Sendable>: Sendable {
    private let state: Mutex<State>
    private let uptime: @Sendable () -> Duration

    private struct State {
        var queue: FairQueue<Payer, Int>
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket = 0
    }

    /// The parameters are those of `FairQueue`.
    ///
    /// - Parameter uptime: the time since any fixed moment; constant if payers just take turns.
    package init(
        places: Int, share: Int, waitingPerPayer: Int, uptime: @escaping @Sendable () -> Duration = { .zero }
    ) {
        self.uptime = uptime
        state = Mutex(
            State(queue: FairQueue(places: places, share: share, waitingPerPayer: waitingPerPayer)))
    }

    /// Runs work as soon as there is a place for it. Throws `refusal` when too many requests of the payer
    /// wait.
    package func run<T>(
        for payer: Payer, refusal: @autoclosure () -> RecordError, _ work: () async throws -> T
    ) async throws -> T {
        guard await enter(payer) else {
            try Task.checkCancellation()
            throw refusal()
        }
        let start = uptime()
        defer { leave(payer, since: start) }
        return try await work()
    }

    /// Waits for a place. Returns false when too many requests of the payer wait, or the task was cancelled.
    private func enter(_ payer: Payer) async -> Bool {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let admission = state.withLock { state -> FairQueue<Payer, Int>.Admission in
                    let admission = state.queue.enter(payer, ticket)
                    // The task was cancelled before it waited, so nothing would resume it later.
                    if admission == .wait, Task.isCancelled {
                        _ = state.queue.withdraw(payer, ticket)
                        return .refuse
                    }
                    if admission == .wait { state.waiters[ticket] = waiter }
                    return admission
                }
                if admission != .wait { waiter.resume(returning: admission == .begin) }
            }
        } onCancel: {
            // A cancelled task needs no place.
            let waiter = state.withLock { state in
                state.queue.withdraw(payer, ticket) ? state.waiters.removeValue(forKey: ticket) : nil
            }
            waiter?.resume(returning: false)
        }
    }

    private func leave(_ payer: Payer, since start: Duration) {
        let now = uptime()
        let (used, time) = ((now - start) / .seconds(1), now / .seconds(1))
        let waiter = state.withLock { state in
            state.queue.leave(payer, after: used, at: time).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }
}
