/// A transaction of an engine in which a group of jobs runs. Engines implement the steps; `commit(_:uptime:)`
/// runs the jobs.
package protocol GroupTransaction {
    /// The work of a job.
    associatedtype Work: Sendable
    /// The writer's copy of the counters and the catalog of its database.
    associatedtype State

    /// Whether an error of a job may be thrown later: by the next job, or by `save`.
    var failsLate: Bool { get }

    /// Begins the transaction. Returns the state as of the last commit.
    func begin() throws -> State

    /// Sets a savepoint for the next job.
    func mark() throws

    /// Runs a job. Returns false to undo it. It may be called twice for a job; the second time, database and
    /// state are those of the first time again.
    ///
    /// - Parameter isApart: whether a savepoint was set. Then an error of this job is thrown at once.
    func run(_ work: Work, _ state: inout State, isApart: Bool) throws -> Bool

    /// Completes a job that stands, before the next one runs. Throws if the whole group must fail.
    func settle(_ state: State, after before: State, isApart: Bool) throws

    /// Goes back to the savepoint of the last job. Throws if the engine has undone the whole group already,
    /// or cannot undo the job.
    func undo(after outcome: Result<Bool, any Error>) throws

    /// Writes the state, and waits for all statements so far.
    func save(_ state: State, replacing before: State) throws

    func commit() throws

    /// Ends the transaction without its changes, if it has not ended.
    func rollback()

    /// The store's error for one of the engine.
    func translated(_ error: any Error) -> any Error
}

extension GroupTransaction {
    package typealias Outcome = Result<Void, any Error>

    /// Runs jobs in one transaction and commits it. Returns the state after it, and the outcomes of the jobs
    /// that ran: of the first one, and of those that could begin within `WriteGroup.time`. A job that fails
    /// changes nothing.
    ///
    /// Savepoints are expensive, so the jobs first run without. If one of them must be undone after others
    /// have run, all are rolled back and run again with savepoints.
    ///
    /// - Returns: a state of nil if nothing was committed.
    package func commit(
        _ jobs: [WriteQueue<Work>.Job], uptime: () -> Duration
    ) throws -> (state: State?, outcomes: [Outcome]) {
        try transact(jobs, uptime, isApart: false) ?? transact(jobs, uptime, isApart: true) ?? (nil, [])
    }

    /// Returns nil if the jobs must run again with savepoints.
    private func transact(
        _ jobs: [WriteQueue<Work>.Job], _ uptime: () -> Duration, isApart: Bool
    ) throws -> (state: State?, outcomes: [Outcome])? {
        let end = uptime() + WriteGroup.time
        let before = try begin()
        var after = before
        var outcomes: [Outcome] = []
        do {
            for job in jobs where outcomes.isEmpty || uptime() < end {
                let (stands, outcome) = try run(job.work, &after, isApart)
                if !stands, !isApart {
                    rollback()
                    return outcomes.isEmpty ? (nil, [outcome]) : nil
                }
                outcomes.append(outcome)
            }
            do {
                try save(after, replacing: before)
            } catch  where failsLate && !isApart && outcomes.count > 1 {
                rollback()
                return nil
            }
            try commit()
        } catch {
            rollback()
            throw error
        }
        return (after, outcomes)
    }

    /// Runs a job. Throws only if the engine cannot undo it; then the whole group fails.
    private func run(
        _ work: Work, _ state: inout State, _ isApart: Bool
    ) throws -> (stands: Bool, Outcome) {
        if isApart { try mark() }
        var draft = state
        let outcome = Result { try run(work, &draft, isApart: isApart) }
        guard case .success(true) = outcome else {
            if isApart { try undo(after: outcome) }
            return (false, outcome.map { _ in }.mapError { translated($0) })
        }
        try settle(draft, after: state, isApart: isApart)
        state = draft
        return (true, .success(()))
    }
}
