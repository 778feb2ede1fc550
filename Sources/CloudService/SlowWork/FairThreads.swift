import RecordStore
import Records

/// A limited number of threads for slow work, distributed fairly among payers.
final class FairThreads: Sendable {
    private let executor: any TaskExecutor
    private let turns: FairTurns<RequestPayer>

    /// Maximum number of waiting requests of one payer.
    static let waitingPerPayer = 32

    init(_ threads: WorkThreads, uptime: @escaping @Sendable () -> Duration) {
        executor = threads.executor
        turns = FairTurns(
            places: threads.count, share: max(1, threads.count / 2), waitingPerPayer: Self.waitingPerPayer,
            uptime: uptime)
    }

    /// Runs work as soon as a thread is free for it. Throws `throttled` when too many requests of the payer
    /// wait.
    func run<T>(for payer: RequestPayer, _ work: () async throws -> T) async throws -> T {
        try await turns.run(for: payer, refusal: Self.refusal(payer)) {
            try await withTaskExecutorPreference(executor) { try await work() }
        }
    }

    private static func refusal(_ payer: RequestPayer) -> RecordError {
        RecordError(
            .throttled, "too many slow requests at once", culprit: payer.policy,
            nextStep: "wait for the answers to earlier requests before sending more", retryAfter: 1
        )
    }
}

/// The executor for slow work and the number of its threads.
package struct WorkThreads: Sendable {
    package var executor: any TaskExecutor
    package var count: Int

    package init(executor: any TaskExecutor, count: Int) {
        self.executor = executor
        self.count = count
    }
}
