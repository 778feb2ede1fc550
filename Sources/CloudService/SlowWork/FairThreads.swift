import Records
import Synchronization

/// Threads that payers share: a bounded number of them works at once, and each payer has a fair share.
final class FairThreads: Sendable {
    private let executor: any TaskExecutor
    private let state: Mutex<State>

    private struct State {
        var queue: FairQueue<RequestPayer, Int>
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket = 0
    }

    /// Work of one payer that waits for a thread.
    static let waitingPerPayer = 32

    init(_ threads: WorkThreads) {
        executor = threads.executor
        state = Mutex(
            State(
                queue: FairQueue(
                    places: threads.count, share: max(1, threads.count / 2),
                    waitingPerPayer: Self.waitingPerPayer)))
    }

    /// Runs work when there is a thread for it. Throws `throttled` when too much of the payer waits.
    func run<T>(for payer: RequestPayer, _ work: () async throws -> T) async throws -> T {
        try await enter(payer)
        defer { leave(payer) }
        return try await withTaskExecutorPreference(executor) { try await work() }
    }

    // MARK: Places

    private func enter(_ payer: RequestPayer) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let isAdmitted = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let admission = state.withLock { state -> FairQueue<RequestPayer, Int>.Admission in
                    let admission = state.queue.enter(payer, ticket)
                    // Cancelled before it waited: nobody would wake it.
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
            // Whoever has gone needs no place.
            let waiter = state.withLock { state in
                state.queue.withdraw(payer, ticket) ? state.waiters.removeValue(forKey: ticket) : nil
            }
            waiter?.resume(returning: false)
        }
        if isAdmitted { return }
        try Task.checkCancellation()
        throw RecordError(
            .throttled, "too many slow requests at once", culprit: payer.policy,
            nextStep: "wait for the answers to earlier requests before sending more", retryAfter: 1
        )
    }

    private func leave(_ payer: RequestPayer) {
        let waiter = state.withLock { state in
            state.queue.leave(payer).flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume(returning: true)
    }
}

/// The threads for slow work, as the wiring makes them.
package struct WorkThreads: Sendable {
    package var executor: any TaskExecutor
    /// How many there are.
    package var count: Int

    package init(executor: any TaskExecutor, count: Int) {
        self.executor = executor
        self.count = count
    }
}
