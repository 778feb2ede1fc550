import PostgreSQLSupport
import RecordStore
import Records

/// The transaction of a group of writes to one database.
struct PostgresGroup: GroupTransaction {
    /// The work of a job. It returns false to be undone. It may be called twice; the second time, database
    /// and state are those of the first time again.
    typealias Work = @Sendable (PostgresSession, inout PostgresWriteState) throws -> Bool

    let session: PostgresSession
    let catalogs: PostgresCatalogCache
    let subscriptions: PostgresSubscriptionCache
    /// When it is stopped, the transaction is rolled back. A commit that was already sent is awaited, because
    /// only the server knows whether it took effect.
    let interruption: WriteInterruption

    private var connection: PostgresConnection { session.connection }

    /// Statements are sent without waiting for their results.
    var failsLate: Bool { true }

    func begin() throws -> PostgresWriteState {
        do {
            return try connection.interrupted(by: interruption) {
                _ = try connection.begin(.writing, on: session.database)
                let state = try PostgresWriteState(locking: session, catalogs)
                try subscriptions.load(state, session)
                return state
            }
        } catch {
            rollback()
            throw error
        }
    }

    func mark() throws { try session.enqueue("SAVEPOINT job") }

    func run(_ work: Work, _ state: inout PostgresWriteState, isApart: Bool) throws -> Bool {
        try connection.interrupted(by: interruption) {
            let stands = try work(session, &state)
            if stands, isApart { try connection.finish() }
            return stands
        }
    }

    func settle(_ state: PostgresWriteState, after before: PostgresWriteState, isApart: Bool) throws {
        if isApart { try session.enqueue("RELEASE SAVEPOINT job") }
    }

    func undo(after outcome: Result<Bool, any Error>) throws {
        connection.recover()
        try session.enqueue("ROLLBACK TO SAVEPOINT job")
        try session.enqueue("RELEASE SAVEPOINT job")
    }

    func save(_ state: PostgresWriteState, replacing before: PostgresWriteState) throws {
        try connection.interrupted(by: interruption) {
            try state.save(in: session)
            try connection.finish()
        }
    }

    func commit() throws { try connection.commit() }

    func rollback() { connection.rollback() }

    func translated(_ error: any Error) -> any Error { error }
}
