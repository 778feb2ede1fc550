import GRDB
import RecordStore
import Records
import SQLiteSupport
import Synchronization

/// The only writer of a database file. It runs waiting jobs in groups, each group in one transaction.
final class CommitQueue: Sendable {
    /// The work of a job. It returns false to be undone. It may be called twice; the second time, database
    /// and state are those of the first time again.
    typealias Work = @Sendable (Database, inout WriterState) throws -> Bool

    private let connections: Connections
    private let queue = WriteQueue<Work>()
    private let state: Mutex<WriterState>
    private let uptime: @Sendable () -> Duration
    /// The subscriptions as of the last commit.
    let subscriptions: SubscriptionCache

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
        try await queue.submit(for: payer, weight: weight, work, isInline: connections.isInline) { start() }
    }

    /// Refuses all jobs from now on, those that wait as well, and interrupts the one that runs: its
    /// transaction is rolled back. Acknowledged changes are not affected.
    func interrupt() {
        let refused = queue.stop()
        connections.interruptWriter()
        queue.refuse(refused)
    }

    /// Starts the writer. With durability `none`, the caller's thread runs the waiting jobs; a caller that
    /// had to wait for the connection may find that another thread has run its job.
    private func start() {
        if connections.isInline {
            connections.writer.writeWithoutTransaction { database in
                if let jobs = queue.takeGroup() { commit(jobs, database) }
            }
        } else {
            connections.writer.asyncWriteWithoutTransaction { database in self.drain(database) }
        }
    }

    private func drain(_ database: Database) {
        while let jobs = queue.takeGroup() { commit(jobs, database) }
    }

    private func commit(_ jobs: [WriteQueue<Work>.Job], _ database: Database) {
        let before = committed
        do {
            let transaction = SQLiteGroup(connections: connections, database: database, committed: before)
            let (written, outcomes) = try transaction.commit(jobs, uptime: uptime)
            var after = written ?? before
            subscriptions.apply(after.subscriptionChanges)
            after.subscriptionChanges.removeAll()
            after.commits = before.commits + 1
            state.withLock { $0 = after }
            if after.catalog.layoutChanges != before.catalog.layoutChanges { connections.layoutChanged() }
            connections.checkpointer.wrote(upTo: after.sequence)
            connections.readAhead.forget(before: after.commits)
            queue.finish(jobs, outcomes)
            connections.logLimit.enforce(database)
        } catch {
            queue.fail(jobs, RecordError(storage: error))
        }
    }
}

/// The transaction of a group of jobs. Its own statements also run while the writer is interrupted.
///
/// Without savepoints if possible: a full-text index writes its pending entries at each one.
private struct SQLiteGroup: GroupTransaction {
    let connections: Connections
    let database: Database
    let committed: WriterState

    var failsLate: Bool { false }

    func begin() throws -> WriterState {
        try connections.runUninterrupted("BEGIN IMMEDIATE", database)
        return committed
    }

    func mark() throws { try connections.runUninterrupted("SAVEPOINT job", database) }

    func run(_ work: CommitQueue.Work, _ state: inout WriterState, isApart: Bool) throws -> Bool {
        try work(database, &state)
    }

    func settle(_ state: WriterState, after before: WriterState, isApart: Bool) throws {
        try TimeMarks(database: database).note(state, after: before)
        if isApart { try connections.runUninterrupted("RELEASE job", database) }
    }

    func undo(after outcome: Result<Bool, any Error>) throws {
        // A full disk has rolled back the whole group already: throw that error, not one of the failing
        // savepoint.
        if !database.isInsideTransaction, case .failure(let error) = outcome { throw error }
        try connections.runUninterrupted("ROLLBACK TO job", database)
        try connections.runUninterrupted("RELEASE job", database)
    }

    func save(_ state: WriterState, replacing before: WriterState) throws {
        if state.sequence == before.sequence, state.time == before.time { return }
        var row = try SQL(database, "UPDATE store SET sequence = ?, time = ?")
        row.bind(state.sequence)
        row.bind(state.time.milliseconds)
        try row.run()
    }

    func commit() throws {
        if connections.isWriterInterrupted { throw RecordError.stopping }
        try connections.runUninterrupted("COMMIT", database)
    }

    func rollback() {
        if database.isInsideTransaction { try? connections.runUninterrupted("ROLLBACK", database) }
    }

    func translated(_ error: any Error) -> any Error { RecordError(storage: error) }
}
