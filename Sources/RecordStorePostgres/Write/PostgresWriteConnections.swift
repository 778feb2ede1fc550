import PostgreSQLSupport
import RecordStore
import Records

/// Distributes the connections of an engine among the groups of writes of its databases.
///
/// Heavy groups (`WriteQueue.isNextHeavy`) and light ones have separate shares, so that light writes never
/// wait for heavy ones of other databases:
/// - Heavy groups use a quarter of the connections. Together with slow reads, which use half of them, they
///   leave some for short work.
/// - Light groups use the rest but one, which stays for reads.
///
/// Of the databases that wait, the one whose groups have taken the least time recently comes first. A group
/// that waits for a place has no connection, and one that has a place waits for no other place.
final class PostgresWriteConnections: Sendable {
    private let pool: ConnectionPool
    private let light: FairTurns<Int64>
    private let heavy: FairTurns<Int64>

    init(_ pool: ConnectionPool, connections: Int, uptime: @escaping @Sendable () -> Duration) {
        self.pool = pool
        let heavyPlaces = max(1, connections / 4)
        let lightPlaces = max(1, connections - 1 - heavyPlaces)
        // The number of waiting groups of a database is not limited, because a store has one at a time.
        heavy = FairTurns(
            places: heavyPlaces, share: heavyPlaces, waitingPerPayer: .max, uptime: uptime)
        light = FairTurns(
            places: lightPlaces, share: lightPlaces, waitingPerPayer: .max, uptime: uptime)
    }

    /// Runs a group of writes of a database on a connection, as soon as there is a place for it. Throws
    /// `tryAgainLater` if the pool is closed or has too many jobs, and `CancellationError` if the task is
    /// cancelled while the group waits for a place.
    func run<T: Sendable>(
        on database: Int64, isHeavy: Bool, _ group: @escaping @Sendable (PostgresConnection) throws -> T
    ) async throws -> T {
        let turns = isHeavy ? heavy : light
        return try await turns.run(for: database, refusal: ConnectionPool.tooManyWait) {
            try await pool.run(group)
        }
    }
}
