import RecordStore
import Records

/// Runs the slow parts of requests away from the threads that answer requests.
///
/// A read begins where its request is answered, with a budget that ordinary questions do not use up. One that
/// does is broken off and begins again on the threads for slow reads, where it has `Limits.readSeconds`.
///
/// Large bodies and answers have threads of their own, so that they never wait for a slow read. Payers take
/// turns there, and such work waits for nothing: whoever brings a body or an answer waits until one of each
/// other payer is done at most, and each of those takes as long as decoding `Limits.requestBytes` or writing
/// `Limits.lookupBytes` takes the processor.
package final class SlowWork: Sendable {
    private let reads: FairThreads
    private let bodies: FairThreads
    private let steps: Int
    private let seconds: Int
    private let uptime: @Sendable () -> Duration

    /// The time that a read may take where it begins.
    private static let longestTurn = Duration.milliseconds(5)

    init(
        reads: WorkThreads, bodies: WorkThreads, _ limits: Limits, uptime: @escaping @Sendable () -> Duration
    ) {
        self.reads = FairThreads(reads)
        self.bodies = FairThreads(bodies)
        self.uptime = uptime
        steps = limits.readSteps
        seconds = limits.readSeconds
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

    /// Runs work that reads a database on a thread for slow reads, after others of the same payer when those
    /// have their share.
    ///
    /// Throws as `reading` does.
    package func aside<T>(
        for payer: RequestPayer, _ work: () async throws -> T
    ) async throws -> T {
        // Part of slow work that has its place already.
        if ReadBudget.current != nil { return try await work() }
        do {
            return try await reads.run(for: payer) {
                let (uptime, end) = (uptime, uptime() + .seconds(seconds))
                return try await ReadBudget.$current.withValue(ReadBudget(isOver: { uptime() >= end })) {
                    try await work()
                }
            }
        } catch is ReadBudget.Exceeded {
            throw RecordError(
                .limitExceeded, "the answer takes longer than \(seconds) seconds to find", culprit: "request",
                nextStep: "send a smaller query: fewer conditions, values or words"
            )
        }
    }

    /// Runs work on a large body or answer, on the threads for that.
    ///
    /// Throws `throttled` when too many of the payer wait.
    package func computing<T>(
        for payer: RequestPayer, _ work: () throws -> T
    ) async throws -> T {
        // Part of slow work that has its place already.
        if ReadBudget.current != nil { return try work() }
        return try await bodies.run(for: payer) { try work() }
    }
}
