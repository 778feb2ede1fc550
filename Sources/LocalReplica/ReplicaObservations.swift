import Dispatch
import GRDB
import Synchronization

/// The observations of a replica. After a transaction that has changed something, all of them read again in
/// one snapshot, and no transaction waits for that.
final class ReplicaObservations: Sendable {
    typealias Read = @Sendable (Result<Database, any Error>) -> Void

    private struct State {
        var last = 0
        var reads: [(number: Int, read: Read)] = []
        /// Whether a read has been requested that has not begun. It will see all transactions until then.
        var isRequested = false
    }

    private let database: any DatabaseReader
    /// Serial, so that no observation gets an older snapshot after a newer one.
    private let queue = DispatchQueue(label: "replica.observations")
    private let state = Mutex(State())

    init(of database: any DatabaseReader) {
        self.database = database
    }

    /// Adds an observation, and returns its number.
    ///
    /// - Parameter read: Called with each snapshot, one at a time.
    func add(_ read: @escaping Read) -> Int {
        let number = state.withLock { state in
            state.last += 1
            state.reads.append((state.last, read))
            return state.last
        }
        update()
        return number
    }

    func remove(_ number: Int) {
        state.withLock { $0.reads.removeAll { $0.number == number } }
    }

    /// Requests a read.
    func update() {
        let isNew = state.withLock { state in
            if state.reads.isEmpty || state.isRequested { return false }
            state.isRequested = true
            return true
        }
        // The queue has its own thread, so the read itself needs no further change of threads.
        if isNew { queue.async { self.read() } }
    }

    private func read() {
        let reads = state.withLock { state in
            state.isRequested = false
            return state.reads
        }
        do {
            try database.read { database in
                for read in reads { read.read(.success(database)) }
            }
        } catch {
            for read in reads { read.read(.failure(error)) }
        }
    }
}

/// Reports a value after each transaction, or only if it differs from the one before.
final class ReplicaObservation<Value: Equatable & Sendable>: Sendable {
    private struct State {
        var hasEnded = false
        var value: Value?
    }

    private let skipsEqual: Bool
    private let body: @Sendable (ReplicaReader) throws -> Value
    private let report: @Sendable (Result<Value, any Error>) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - skipsEqual: whether a value is reported only if it differs from the one before.
    ///   - report: Called with each value, and with the error that ends the observation.
    init(
        skipsEqual: Bool, _ body: @escaping @Sendable (ReplicaReader) throws -> Value,
        report: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        self.skipsEqual = skipsEqual
        self.body = body
        self.report = report
    }

    func read(_ snapshot: Result<Database, any Error>) {
        if state.withLock({ $0.hasEnded }) { return }
        let result = Result { try body(ReplicaReader(database: try snapshot.get())) }
        let isNew = state.withLock { state in
            if state.hasEnded { return false }
            guard case .success(let value) = result else {
                state.hasEnded = true
                return true
            }
            if skipsEqual, state.value == value { return false }
            state.value = value
            return true
        }
        if isNew { report(result) }
    }

    /// Ends the observation.
    func end() {
        state.withLock { $0.hasEnded = true }
    }
}

/// Calls a function after each transaction that has added an edit to the outbox, or made one sendable.
final class EditObserver: TransactionObserver, Sendable {
    private let act: @Sendable () -> Void
    private let hasEdits = Atomic(false)

    /// - Parameter act: Called on the thread of the transaction.
    init(_ act: @escaping @Sendable () -> Void) {
        self.act = act
    }

    func observes(eventsOfKind kind: DatabaseEventKind) -> Bool {
        switch kind {
        case .insert("outbox"): true
        case .update("outbox", let columns): !columns.isDisjoint(with: ["change", "refusal"])
        default: false
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        hasEdits.store(true, ordering: .relaxed)
        stopObservingDatabaseChangesUntilNextTransaction()
    }

    func databaseDidCommit(_ database: Database) {
        if hasEdits.exchange(false, ordering: .relaxed) { act() }
    }

    func databaseDidRollback(_ database: Database) {
        hasEdits.store(false, ordering: .relaxed)
    }
}
