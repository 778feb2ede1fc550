import GRDB
import GRDBSQLite
import RecordStore
import Synchronization

/// Spends from a read's budget while SQLite works for it, and interrupts the statement when nothing is left.
///
/// SQLite calls back after so many instructions of a statement (sqlite3_progress_handler), counted over all
/// runs of a prepared statement. A short read therefore spends once in a while what many of its kind took
/// together: budgets are much larger than one interval.
final class StepGauge: Sendable {
    /// Instructions between two calls: each may read a record of the largest size.
    static let interval = 100

    private let budget = Mutex<ReadBudget?>(nil)

    /// Installs the gauge on a connection, which must not outlive it.
    func install(on database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Int32(Self.interval),
            { context in
                guard let context else { return 0 }
                return Unmanaged<StepGauge>.fromOpaque(context).takeUnretainedValue().spend() ? 0 : 1
            }, context)
    }

    /// Runs a read that spends from the budget of the task.
    ///
    /// Throws `ReadBudget.Exceeded` for one that was interrupted because of it.
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

    private func spend() -> Bool {
        budget.withLock { $0 }?.spend(Self.interval) ?? true
    }
}
