import Records

/// Threads that payers share: a bounded number of them works at once, and each payer has a fair share.
final class FairThreads: Sendable {
    private let executor: any TaskExecutor
    private let turns: FairTurns<RequestPayer>

    /// Work of one payer that waits for a thread.
    static let waitingPerPayer = 32

    init(_ threads: WorkThreads) {
        executor = threads.executor
        turns = FairTurns(
            places: threads.count, share: max(1, threads.count / 2), waitingPerPayer: Self.waitingPerPayer)
    }

    /// Runs work when there is a thread for it. Throws `throttled` when too much of the payer waits.
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
