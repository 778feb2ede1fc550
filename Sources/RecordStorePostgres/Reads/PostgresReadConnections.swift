import PostgreSQLSupport
import RecordStore
import Records

/// Distributes the connections of an engine among reads.
///
/// Ordinary reads and slow ones (`ReadBudget.isSlow`) have separate shares, so that neither ordinary reads
/// nor light writes ever wait for slow ones:
/// - Slow reads use half of the connections, and those of one payer at most half of these. A payer who has
///   used less time recently comes first.
/// - Ordinary reads use all connections but one. They end after the short time of their budget, and payers
///   take turns, so a person waits for at most one read of each other person.
///
/// The pool serves its jobs in the order of their arrival. Apart from the engine's own, such as opening a
/// database, only the reads and the groups of writes (`PostgresWriteConnections`) that have a place are among
/// them. With three connections or more, slow reads and heavy writes leave some of them free, where ordinary
/// reads and light writes wait for few and short jobs.
final class PostgresReadConnections: Sendable {
    private let pool: ConnectionPool
    private let ordinary: FairTurns<Int>
    private let slow: FairTurns<Int>

    /// The maximum number of waiting reads of one payer. Each is a part of a request that was admitted.
    private static let waitingPerPayer = 1000

    init(_ pool: ConnectionPool, connections: Int, uptime: @escaping @Sendable () -> Duration) {
        self.pool = pool
        let (ordinary, slow) = (max(1, connections - 1), max(1, connections / 2))
        self.ordinary = FairTurns(places: ordinary, share: ordinary, waitingPerPayer: Self.waitingPerPayer)
        self.slow = FairTurns(
            places: slow, share: max(1, slow / 2), waitingPerPayer: Self.waitingPerPayer, uptime: uptime)
    }

    /// Runs a read on a connection, and ends it when the task's budget is used up. Reads without a budget are
    /// the server's own; they take turns with those of people.
    ///
    /// Throws `ReadBudget.Exceeded` when the budget is used up, and `tryAgainLater` if too many reads of the
    /// payer wait.
    func run<T: Sendable>(
        _ read: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        guard let budget = ReadBudget.current else { return try await run(read, ordinary, payer: 0) }
        return try await run(
            { connection in try connection.spending(budget) { try read(connection) } },
            budget.isSlow ? slow : ordinary, payer: budget.payer)
    }

    private func run<T: Sendable>(
        _ read: @escaping @Sendable (PostgresConnection) throws -> T, _ turns: FairTurns<Int>, payer: Int
    ) async throws -> T {
        try await turns.run(for: payer, refusal: ConnectionPool.tooManyWait) { try await pool.run(read) }
    }
}

extension PostgresConnection {
    /// Runs statements that spend the time of a budget. The running one is cancelled when the budget is used
    /// up.
    fileprivate func spending<T>(_ budget: ReadBudget, _ body: () throws -> T) throws -> T {
        let interruption = PostgresReadInterruption(budget: budget)
        // The time in which the read waited for the connection may have used up the budget.
        try interruption.check()
        self.interruption = interruption
        defer { self.interruption = nil }
        do {
            return try body()
        } catch  where budget.isExceeded {
            throw ReadBudget.Exceeded()
        }
    }
}

/// Ends the statements of a read whose budget is used up.
private struct PostgresReadInterruption: Interruption {
    let budget: ReadBudget
    let interval: Int32 = 10

    func check() throws {
        if !budget.spend(0) { throw ReadBudget.Exceeded() }
    }
}
