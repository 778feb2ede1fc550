import RecordStore
import Records
import Synchronization

/// Runs the slow parts of requests on threads other than those that answer requests.
///
/// A read begins on the thread that answers its request, with a budget that is enough for ordinary reads. A
/// read that exceeds it is interrupted and started again on the threads for slow reads, where it may take
/// `Limits.readSeconds`. A store that waits for an engine in another process keeps no thread busy; there the
/// two kinds of reads have separate shares of its connections.
///
/// The large bodies of saves, and large answers, are processed on threads of their own, so that they never
/// wait for a slow read. Payers take turns there, and the work never blocks. So a request waits for at most
/// one piece of work of each other payer, and each piece takes no longer than decoding `Limits.requestBytes`
/// or writing `Limits.lookupBytes`. Any other call with a large body runs as a whole on a thread for slow
/// reads.
///
/// On both kinds of threads, a payer whose work has taken less time recently comes first.
package final class SlowWork: Sendable {
    private let reads: FairThreads
    private let bodies: FairThreads
    private let steps: Int
    private let seconds: Int
    private let uptime: @Sendable () -> Duration

    /// The maximum processor time of a read on the thread where it begins.
    private static let timeSlice = Duration.milliseconds(5)
    /// The maximum duration of such a read. It exceeds the processor time, because on a busy machine a thread
    /// is often interrupted, and the read should not have to start again for that reason.
    private static let maximumDuration = Duration.milliseconds(30)

    init(
        reads: WorkThreads, bodies: WorkThreads, _ limits: Limits, uptime: @escaping @Sendable () -> Duration
    ) {
        self.reads = FairThreads(reads, uptime: uptime)
        self.bodies = FairThreads(bodies, uptime: uptime)
        self.uptime = uptime
        steps = limits.readSteps
        seconds = limits.readSeconds
    }

    /// Runs a read on the current thread; if it takes long, interrupts it and runs it again on a thread for
    /// slow reads. So `read` may run twice, and must have no side effects that add up.
    ///
    /// Throws `limitExceeded` for a read that takes longer than `Limits.readSeconds`, and `throttled` when
    /// too many requests of the payer wait.
    func reading<T>(for payer: RequestPayer, _ read: () async throws -> T) async throws -> T {
        if ReadBudget.current != nil { return try await read() }
        do {
            let budget = ReadBudget(steps: steps, payer: payer.hashValue, isOver: timeCheck())
            return try await ReadBudget.$current.withValue(budget) { try await read() }
        } catch is ReadBudget.Exceeded {
            return try await onSlowThread(for: payer, read)
        }
    }

    /// Returns a closure that returns true when a read has used up its time on this thread. The limit in
    /// `steps` is not enough: rows can be long, so the number of steps says little about the time.
    ///
    /// The time is counted from the closure's first call, which the store makes while it reads. Earlier waits
    /// of the request, such as for the schema, do not count, because they keep no thread busy. If a store
    /// reads on threads of its own, the processor time is that of the thread which reads now.
    private func timeCheck() -> @Sendable () -> Bool {
        let uptime = uptime
        let begin = Mutex<(start: Duration, processor: ThreadTime)?>(nil)
        return {
            let now = uptime()
            return begin.withLock { begin in
                guard let begun = begin else {
                    begin = (now, ThreadTime.now)
                    return false
                }
                // Asking for the processor time is a system call, and only needed when some time has passed.
                let passed = now - begun.start
                if passed < Self.timeSlice { return false }
                if passed >= Self.maximumDuration { return true }
                guard let used = begun.processor.elapsed else {
                    begin?.processor = ThreadTime.now
                    return false
                }
                return used >= Self.timeSlice
            }
        }
    }

    /// Runs work that reads a database on a thread for slow reads. It waits while all these threads are busy,
    /// or the payer has its full share of them.
    ///
    /// Throws as `reading` does.
    package func onSlowThread<T>(
        for payer: RequestPayer, _ work: () async throws -> T
    ) async throws -> T {
        // This is part of slow work that already has a thread.
        if ReadBudget.current != nil { return try await work() }
        do {
            return try await reads.run(for: payer) {
                let (uptime, end) = (uptime, uptime() + .seconds(seconds))
                let budget = ReadBudget(payer: payer.hashValue, isSlow: true) { uptime() >= end }
                return try await ReadBudget.$current.withValue(budget) { try await work() }
            }
        } catch is ReadBudget.Exceeded {
            throw RecordError(
                .limitExceeded, "the request took longer than \(seconds) seconds", culprit: "request",
                nextStep: "send a smaller query: fewer conditions, values or words"
            )
        }
    }

    /// Runs work on a large body or answer, on the threads for such work.
    ///
    /// Throws `throttled` when too many requests of the payer wait.
    package func computing<T>(
        for payer: RequestPayer, _ work: () throws -> T
    ) async throws -> T {
        // This is part of slow work that already has a thread.
        if ReadBudget.current != nil { return try work() }
        return try await bodies.run(for: payer) { try work() }
    }

    /// The bytes from which work on a body or an answer takes about a millisecond or more.
    package static let manyBytes = 65_536

    /// Runs work on this many bytes of a body or an answer: on this thread, or as `computing(for:_:)` does if
    /// they are many.
    package func computing<T>(
        onBytes count: Int, for payer: RequestPayer, _ work: () throws -> T
    ) async throws -> T {
        if count < Self.manyBytes { return try work() }
        return try await computing(for: payer, work)
    }
}
