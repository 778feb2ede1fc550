import Records
import Synchronization

/// The jobs that wait for the writer of a database, which runs them in groups, each in one transaction.
///
/// The jobs of a payer run in the order of their arrival. A job is answered after the commit of its group, so
/// acknowledged changes are on disk.
package final class WriteQueue<Work: Sendable>: Sendable {
    package struct Job: Sendable {
        package let work: Work
        fileprivate let payer: String
        fileprivate let weight: Int
        fileprivate let answer: CheckedContinuation<Void, any Error>
    }

    private struct Waiting: Sendable {
        var jobs = WaitingJobs<Job>()
        var isRunning = false
        /// Whether new jobs are refused.
        var isStopped = false
    }

    private let waiting = Mutex(Waiting())

    package init() {}

    /// The number of jobs that wait.
    package var count: Int { waiting.withLock { $0.jobs.count } }

    /// Runs a job, and returns when it is committed.
    ///
    /// - Parameters:
    ///   - payer: the person on whose behalf the job runs; payers take turns.
    ///   - weight: about how many bytes of fields the job writes.
    ///   - isInline: whether the caller's thread is the writer. Then each caller starts it.
    ///   - start: starts the writer, which takes groups until there are none. It is called only if the writer
    ///     does not run.
    package func submit(
        for payer: String, weight: Int, _ work: Work, isInline: Bool = false, start: () -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { answer in
            let mustStart: Bool? = waiting.withLock { waiting in
                if waiting.isStopped { return nil }
                let job = Job(work: work, payer: payer, weight: weight, answer: answer)
                waiting.jobs.append(job, of: payer, weight: weight)
                if waiting.isRunning { return false }
                waiting.isRunning = !isInline
                return true
            }
            switch mustStart {
            case true?: start()
            case false?: break
            case nil: answer.resume(throwing: RecordError.stopping)
            }
        }
    }

    /// Refuses all jobs from now on, and returns those that wait. The caller interrupts the group that runs,
    /// then calls `refuse`.
    package func stop() -> [Job] {
        waiting.withLock { waiting in
            waiting.isStopped = true
            return waiting.jobs.removeAll()
        }
    }

    package func refuse(_ jobs: [Job]) { fail(jobs, RecordError.stopping) }

    /// Whether the next group has a heavy job. It stays so until the group is taken, or its jobs are refused.
    /// nil: there are no jobs, and the writer ends.
    package func isNextHeavy() -> Bool? {
        waiting.withLock { waiting in
            let isHeavy = waiting.jobs.isNextHeavy
            if isHeavy == nil { waiting.isRunning = false }
            return isHeavy
        }
    }

    /// Returns the jobs of the next group. nil: there are none, and the writer ends.
    package func takeGroup() -> [Job]? {
        waiting.withLock { waiting in
            if waiting.jobs.isEmpty {
                waiting.isRunning = false
                return nil
            }
            return waiting.jobs.take(WriteGroup.size, weight: WriteGroup.weight)
        }
    }

    /// Answers the jobs of a group that ran, and puts back the others.
    package func finish(_ jobs: [Job], _ outcomes: [Result<Void, any Error>]) {
        putBack(jobs, from: outcomes.count)
        for (job, outcome) in zip(jobs, outcomes) { job.answer.resume(with: outcome) }
    }

    /// Answers all jobs of a group with an error.
    package func fail(_ jobs: [Job], _ error: any Error) {
        for job in jobs { job.answer.resume(throwing: error) }
    }

    private func putBack(_ jobs: [Job], from count: Int) {
        if count == jobs.count { return }
        let served = Set(jobs[..<count].map(\.payer))
        let rest = jobs[count...].map { (job: $0, payer: $0.payer, weight: $0.weight) }
        let isStopped = waiting.withLock { waiting in
            if !waiting.isStopped { waiting.jobs.putBack(rest, served: served) }
            return waiting.isStopped
        }
        if isStopped { refuse(rest.map(\.job)) }
    }
}

/// The limits of a group.
package enum WriteGroup {
    /// The maximum number of jobs in a group, so that the first does not wait long for the last.
    static let size = 256
    /// A group ends with the job that brings its weight to this many bytes of fields.
    static let weight = 1 << 20
    /// A job is heavy if it writes at least this many bytes. Saves of less are short, even in an
    /// engine that has a row for each word of a text.
    package static let heavyWeight = 1 << 15
    /// A group starts no further job after this time, because the cost of a job is known only when it has
    /// run.
    static let time = Duration.milliseconds(50)
}
