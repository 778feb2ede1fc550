import GRDB
import Records
import SQLiteSupport
import Synchronization

/// The only writer of a database file. It runs waiting jobs in groups, each group in one transaction.
///
/// The jobs of a payer run in the order of their arrival. A job that fails changes nothing. The transaction
/// commits when no more jobs are waiting, or when the group is large enough or has taken long enough. Each
/// job is answered after the commit, so acknowledged changes are on disk.
final class CommitQueue: Sendable {
    /// The work of a job. It returns false to be undone. It may be called twice; the second time, database
    /// and state are those of the first time again.
    typealias Work = @Sendable (Database, inout WriterState) throws -> Bool

    private struct Job: Sendable {
        var work: Work
        var payer: String
        var weight: Int
        var answer: CheckedContinuation<Void, any Error>
    }

    private struct Waiting: Sendable {
        var jobs = WaitingJobs<Job>()
        var isRunning = false
        /// Whether no job is taken any more.
        var isStopped = false
    }

    private let connections: Connections
    private let waiting = Mutex(Waiting())
    private let state: Mutex<WriterState>
    private let uptime: @Sendable () -> Duration
    /// The subscriptions as of the last commit.
    let subscriptions: SubscriptionCache

    /// The maximum of jobs in a group, so that the first does not wait long for the last.
    private static let groupSize = 256
    /// A group ends with the job that brings its weight to this many bytes of fields.
    private static let groupWeight = 1 << 20
    /// A group starts no further job after this time, because the cost of a job is known only when it has
    /// run.
    private static let groupTime = Duration.milliseconds(50)

    init(
        connections: Connections, state: WriterState, subscriptions: SubscriptionCache,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.connections = connections
        self.uptime = uptime
        self.subscriptions = subscriptions
        self.state = Mutex(state)
    }

    /// The state after the last commit.
    var committed: WriterState { state.withLock { $0 } }

    /// The number of the last notification that is on disk.
    var lastNotification: Int64 { state.withLock { $0.lastNotification } }

    /// Runs a job, and returns when it is on disk.
    ///
    /// - Parameters:
    ///   - payer: the person on whose behalf the job runs; payers take turns.
    ///   - weight: about how many bytes of fields the job writes.
    func submit(for payer: String, weight: Int, _ work: @escaping Work) async throws {
        try await withCheckedThrowingContinuation { answer in
            let mustStart: Bool? = waiting.withLock { waiting in
                if waiting.isStopped { return nil }
                let job = Job(work: work, payer: payer, weight: weight, answer: answer)
                waiting.jobs.append(job, of: payer, weight: weight)
                if waiting.isRunning { return false }
                waiting.isRunning = !connections.isInline
                return true
            }
            switch mustStart {
            case true?: start()
            case false?: break
            case nil: answer.resume(throwing: RecordError.stopping)
            }
        }
    }

    /// Refuses all jobs from now on, those that wait as well, and interrupts the one that runs: its
    /// transaction is rolled back. Acknowledged changes are not affected.
    func interrupt() {
        let refused = waiting.withLock { waiting in
            waiting.isStopped = true
            return waiting.jobs.removeAll()
        }
        connections.interruptWriter()
        for job in refused { job.answer.resume(throwing: RecordError.stopping) }
    }

    /// Starts the writer. With durability `none`, the caller's thread runs the waiting jobs; a caller that
    /// had to wait for the connection may find that another thread has run its job.
    private func start() {
        if connections.isInline {
            connections.writer.writeWithoutTransaction { database in
                if let jobs = takeGroup() { commit(jobs, database) }
            }
        } else {
            connections.writer.asyncWriteWithoutTransaction { database in self.drain(database) }
        }
    }

    private func drain(_ database: Database) {
        while let jobs = takeGroup() { commit(jobs, database) }
    }

    private func takeGroup() -> [Job]? {
        waiting.withLock { waiting in
            if waiting.jobs.isEmpty {
                waiting.isRunning = false
                return nil
            }
            return waiting.jobs.take(Self.groupSize, weight: Self.groupWeight)
        }
    }

    private func commit(_ jobs: [Job], _ database: Database) {
        let before = committed
        do {
            var (after, outcomes) =
                try transact(jobs, database, from: before, isApart: false)
                ?? transact(jobs, database, from: before, isApart: true) ?? (before, [])
            subscriptions.apply(after.subscriptionChanges)
            after.subscriptionChanges.removeAll()
            after.commits = before.commits + 1
            state.withLock { $0 = after }
            if after.catalog.layoutChanges != before.catalog.layoutChanges { connections.layoutChanged() }
            connections.checkpointer.wrote(upTo: after.sequence)
            connections.readAhead.forget(before: after.commits)
            putBack(jobs, from: outcomes.count)
            for (job, outcome) in zip(jobs, outcomes) { job.answer.resume(with: outcome) }
        } catch {
            for job in jobs { job.answer.resume(throwing: RecordError(storage: error)) }
        }
    }

    /// Puts back the jobs of a group that did not run.
    private func putBack(_ jobs: [Job], from count: Int) {
        if count == jobs.count { return }
        let served = Set(jobs[..<count].map(\.payer))
        let rest = jobs[count...].map { (job: $0, payer: $0.payer, weight: $0.weight) }
        let isStopped = waiting.withLock { waiting in
            if !waiting.isStopped { waiting.jobs.putBack(rest, served: served) }
            return waiting.isStopped
        }
        guard isStopped else { return }
        for (job, _, _) in rest { job.answer.resume(throwing: RecordError.stopping) }
    }

    private typealias Outcome = Result<Void, any Error>

    /// Runs jobs in one transaction, with a savepoint for each if `isApart`. Returns the outcomes of the jobs
    /// that ran: the first, and as many more as there was time for.
    ///
    /// Savepoints are expensive: a full-text index writes its pending entries at each one. So the jobs first
    /// run without. If one of them must be undone after others have run, all are rolled back and the result
    /// is nil; the caller then runs them again with savepoints.
    private func transact(
        _ jobs: [Job], _ database: Database, from before: WriterState, isApart: Bool
    ) throws -> (WriterState, [Outcome])? {
        var after = before
        var outcomes: [Outcome] = []
        let end = uptime() + Self.groupTime
        try connections.runUninterrupted("BEGIN IMMEDIATE", database)
        do {
            for job in jobs where outcomes.isEmpty || uptime() < end {
                let (stands, outcome) = try run(job, database, &after, isApart: isApart)
                if !stands, !isApart {
                    if database.isInsideTransaction { try connections.runUninterrupted("ROLLBACK", database) }
                    return outcomes.isEmpty ? (before, [outcome]) : nil
                }
                outcomes.append(outcome)
            }
            try save(after, replacing: before, database)
            if connections.isWriterInterrupted { throw RecordError.stopping }
            try connections.runUninterrupted("COMMIT", database)
        } catch {
            try? connections.runUninterrupted("ROLLBACK", database)
            throw error
        }
        return (after, outcomes)
    }

    /// Runs a job. Throws only if SQLite cannot undo it; then the whole group fails.
    private func run(
        _ job: Job, _ database: Database, _ state: inout WriterState, isApart: Bool
    ) throws -> (stands: Bool, Outcome) {
        if isApart { try connections.runUninterrupted("SAVEPOINT job", database) }
        var draft = state
        let outcome = Result { try job.work(database, &draft) }
        guard case .success(true) = outcome else {
            if isApart {
                // A full disk has rolled back the whole group already: throw that error, not one of the
                // failing savepoint.
                if !database.isInsideTransaction, case .failure(let error) = outcome { throw error }
                try undo(database)
            }
            return (false, outcome.map { _ in }.mapError { RecordError(storage: $0) })
        }
        try TimeMarks(database: database).note(draft, after: state)
        if isApart { try connections.runUninterrupted("RELEASE job", database) }
        state = draft
        return (true, .success(()))
    }

    private func undo(_ database: Database) throws {
        try connections.runUninterrupted("ROLLBACK TO job", database)
        try connections.runUninterrupted("RELEASE job", database)
    }

    private func save(_ state: WriterState, replacing before: WriterState, _ database: Database) throws {
        if state.sequence == before.sequence, state.time == before.time { return }
        var row = try SQL(database, "UPDATE store SET sequence = ?, time = ?")
        row.bind(state.sequence)
        row.bind(state.time.milliseconds)
        try row.run()
    }
}
