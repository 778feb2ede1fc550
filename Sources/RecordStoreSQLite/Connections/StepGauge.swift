import GRDB
import GRDBSQLite
import RecordStore
import Synchronization

/// Charges SQLite's work for a read to the read's budget, and interrupts the statement when the budget is
/// used up.
///
/// SQLite calls back after every `interval` instructions (`sqlite3_progress_handler`), counted over all runs
/// of a prepared statement. So a short read may be charged nothing, or for several earlier reads. Budgets are
/// much larger than one interval, so this does not matter.
final class StepGauge: Sendable {
    /// The number of instructions between two calls. It is small because a single instruction may read a
    /// record of the maximum size.
    static let interval = 100

    private let budget = Mutex<ReadBudget?>(nil)
    private let isStopped = Atomic(false)
    private let isShielded = Atomic(false)

    /// Installs the gauge on a connection. The gauge must outlive the connection.
    func install(on database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Int32(Self.interval),
            { context in
                guard let context else { return 0 }
                return Unmanaged<StepGauge>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
            }, context)
    }

    /// Runs a read that spends from the task's budget. Throws `ReadBudget.Exceeded` if the read was
    /// interrupted because the budget was used up.
    func measuring<T>(_ body: () throws -> T) throws -> T {
        guard let current = ReadBudget.current else { return try body() }
        budget.withLock { $0 = current }
        defer { budget.withLock { $0 = nil } }
        do {
            return try body()
        } catch is DatabaseError where current.isExceeded {
            throw ReadBudget.Exceeded()
        }
    }

    /// Interrupts the present statement and all later ones of the connection.
    func stop() { isStopped.store(true, ordering: .relaxed) }

    /// Whether `stop` was called.
    var isInterrupted: Bool { isStopped.load(ordering: .relaxed) }

    /// Runs statements that begin or end a transaction or savepoint, and does not interrupt them: SQLite
    /// calls back once more after a `COMMIT` has taken effect, and an interrupted `ROLLBACK` may leave the
    /// transaction open.
    func uninterrupted<T>(_ body: () throws -> T) rethrows -> T {
        isShielded.store(true, ordering: .relaxed)
        defer { isShielded.store(false, ordering: .relaxed) }
        return try body()
    }

    private func spend() -> Bool {
        if isInterrupted, !isShielded.load(ordering: .relaxed) { return false }
        return budget.withLock { $0 }?.spend(Self.interval) ?? true
    }
}
