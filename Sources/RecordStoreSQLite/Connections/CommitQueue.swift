import GRDB
import Records
import SQLiteSupport
import Synchronization

/// The single writer of a database file.
///
/// The jobs of a payer are run in the order they came, and one which fails leaves no trace; when no more are
/// waiting, or the transaction has taken its time, it commits and all of them are answered. A job is answered
/// only after its commit: what is acknowledged is on disk.
final class CommitQueue: Sendable {
    /// Does the work of a job. Answers whether it stands (false undoes it). May be run twice, the second time
    /// on the same database and state as the first.
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
    }

    private let connections: Connections
    private let waiting = Mutex(Waiting())
    private let state: Mutex<WriterState>
    private let uptime: @Sendable () -> Duration
    /// Who subscribes to what, as of the last commit.
    let subscriptions: SubscriptionBook

    /// Commits no more jobs than this at once, so that the first is not kept waiting for the last.
    private static let groupSize = 256
    /// Nor more bytes of fields than this, if it is more than one job.
    private static let groupWeight = 1 << 20
    /// Begins no further job after so long: how much work a job is shows only when it is done.
    private static let groupTime = Duration.milliseconds(50)

    init(
        connections: Connections, state: WriterState, subscriptions: SubscriptionBook,
        uptime: @escaping @Sendable () -> Duration
    ) {
        self.connections = connections
        self.uptime = uptime
        self.subscriptions = subscriptions
        self.state = Mutex(state)
    }

    /// What the writer knew after the last commit.
    var committed: WriterState { state.withLock { $0 } }

    /// The number of the last notification that is on disk.
    var lastNotification: Int64 { state.withLock { $0.lastNotification } }

    /// Runs a job and returns when it is on disk. Those who pay for jobs take turns; `weight` is about how
    /// many bytes of fields the job writes.
    func submit(for payer: String, weight: Int, _ work: @escaping Work) async throws {
        try await withCheckedThrowingContinuation { answer in
            let mustStart = waiting.withLock { waiting in
                let job = Job(work: work, payer: payer, weight: weight, answer: answer)
                waiting.jobs.append(job, of: payer, weight: weight)
                if waiting.isRunning { return false }
                waiting.isRunning = !connections.isInline
                return true
            }
            if mustStart { start() }
        }
    }

    /// What needs no disk is done at once, on the caller's thread; whoever waits for its turn meanwhile finds
    /// its job done.
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
            connections.checkpointer.wrote(upTo: after.sequence)
            connections.readAhead.forget(before: after.commits)
            putBack(jobs, from: outcomes.count)
            for (job, outcome) in zip(jobs, outcomes) { job.answer.resume(with: outcome) }
        } catch {
            for job in jobs { job.answer.resume(throwing: RecordError(storage: error)) }
        }
    }

    /// Lets the jobs of a group wait again that were not begun.
    private func putBack(_ jobs: [Job], from count: Int) {
        if count == jobs.count { return }
        let served = Set(jobs[..<count].map(\.payer))
        let rest = jobs[count...].map { (job: $0, payer: $0.payer, weight: $0.weight) }
        waiting.withLock { $0.jobs.putBack(rest, served: served) }
    }

    private typealias Outcome = Result<Void, any Error>

    /// Runs jobs in one transaction, each in a savepoint of its own if they are to be kept apart. Answers the
    /// outcomes of those that were begun: the first, and as many more as there is time for.
    ///
    /// Savepoints are dear: a full-text index writes out what it has gathered at each of them. So jobs go
    /// without at first; when one after others must be undone, all are, the answer is nil, and they are run
    /// again, apart.
    private func transact(
        _ jobs: [Job], _ database: Database, from before: WriterState, isApart: Bool
    ) throws -> (WriterState, [Outcome])? {
        var after = before
        var outcomes: [Outcome] = []
        let end = uptime() + Self.groupTime
        try SQL(database, "BEGIN IMMEDIATE").run()
        do {
            for job in jobs where outcomes.isEmpty || uptime() < end {
                let (stands, outcome) = try run(job, database, &after, isApart: isApart)
                if !stands, !isApart {
                    if database.isInsideTransaction { try SQL(database, "ROLLBACK").run() }
                    return outcomes.isEmpty ? (before, [outcome]) : nil
                }
                outcomes.append(outcome)
            }
            try save(after, replacing: before, database)
            try SQL(database, "COMMIT").run()
        } catch {
            try? SQL(database, "ROLLBACK").run()
            throw error
        }
        return (after, outcomes)
    }

    /// Throws only when the engine cannot undo the job: then the whole group is lost.
    private func run(
        _ job: Job, _ database: Database, _ state: inout WriterState, isApart: Bool
    ) throws -> (stands: Bool, Outcome) {
        if isApart { try SQL(database, "SAVEPOINT job").run() }
        var draft = state
        let outcome = Result { try job.work(database, &draft) }
        guard case .success(true) = outcome else {
            if isApart {
                // A full disk has undone the whole group already: say that, not what follows from it.
                if !database.isInsideTransaction, case .failure(let error) = outcome { throw error }
                try undo(database)
            }
            return (false, outcome.map { _ in }.mapError { RecordError(storage: $0) })
        }
        try TimeMarks(database: database).note(draft, after: state)
        if isApart { try SQL(database, "RELEASE job").run() }
        state = draft
        return (true, .success(()))
    }

    private func undo(_ database: Database) throws {
        try SQL(database, "ROLLBACK TO job").run()
        try SQL(database, "RELEASE job").run()
    }

    private func save(_ state: WriterState, replacing before: WriterState, _ database: Database) throws {
        if state.sequence == before.sequence, state.time == before.time { return }
        var row = try SQL(database, "UPDATE store SET sequence = ?, time = ?")
        row.bind(state.sequence)
        row.bind(state.time.milliseconds)
        try row.run()
    }
}
