import RecordStore
import Records
import Synchronization

/// Runs the slow parts of requests on threads of their own, a bounded number at once, with a fair share for
/// each payer.
///
/// A read begins where its request is answered, with a budget that ordinary questions do not use up. One that
/// does is broken off and begins again here, where it has `Limits.readSeconds`.
final class SlowWork: Sendable {
    /// Where slow work runs, and how much of it.
    private let threads: WorkThreads
    private let steps: Int
    private let seconds: Int
    private let uptime: @Sendable () -> Duration
    private let state: Mutex<State>

    private struct State {
        var queue: FairQueue<RequestPayer, Int>
        var waiters: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastTicket = 0
    }

    /// The time that a read may take where it begins.
    private static let longestTurn = Duration.milliseconds(5)
    /// Requests of one payer that wait for a place.
    static let waitingPerPayer = 32

    init(threads: WorkThreads, limits: Limits, uptime: @escaping @Sendable () -> Duration) {
        self.threads = threads
        self.uptime = uptime
        steps = limits.readSteps
        seconds = limits.readSeconds
        state = Mutex(
            State(
                queue: FairQueue(
                    places: threads.count, share: max(1, threads.count / 2),
                    waitingPerPayer: Self.waitingPerPayer)))
    }

    /// Runs a read where it is asked for, and again elsewhere if it takes long. `read` must change nothing
    /// that it may not change twice.
    ///
    /// Throws `limitExceeded` for a read that takes longer than is allowed, and `throttled` when too many of
    /// the payer wait.
    func reading<T>(for payer: RequestPayer, _ read: () async throws -> T) async throws -> T {
        if ReadBudget.current != nil { return try await read() }
        do {
            // Rows can be long: the instructions that read them say little about the time.
            let (uptime, end) = (uptime, uptime() + Self.longestTurn)
            let budget = ReadBudget(steps: steps, isOver: { uptime() >= end })
            return try await ReadBudget.$current.withValue(budget) { try await read() }
        } catch is ReadBudget.Exceeded {
            return try await aside(for: payer, read)
        }
    }

    /// Runs work on a thread for slow work, after others of the same payer when those have their share.
    ///
    /// Throws as `reading` does.
    func aside<T>(for payer: RequestPayer, _ work: () async throws -> T) async throws -> T {
        // Part of slow work that has its place already.
        if ReadBudget.current != nil { return try await work() }
        try await enter(payer)
        defer { leave(payer) }
        let (uptime, end) = (uptime, uptime() + .seconds(seconds))
        do {
            return try await ReadBudget.$current.withValue(ReadBudget(isOver: { uptime() >= end })) {
                try await withTaskExecutorPreference(threads.executor) { try await work() }
            }
        } catch is ReadBudget.Exceeded {
            throw RecordError(
                .limitExceeded, "the answer takes longer than \(seconds) seconds to find", culprit: "request",
                nextStep: "ask for less at once: fewer conditions, values or words"
            )
        }
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
