package import RecordStore
package import Records
import Synchronization

/// A `RecordStore` in one record database of a PostgreSQL engine.
///
/// Of the database, only the catalog of types and the subscriptions are kept in memory. Each transaction
/// compares their numbers, so any number of processes can write to the same database.
package final class PostgresStore: RecordStore {
    private let engine: PostgresEngine
    /// The number of the database in all keys.
    package let number: Int64
    let identity: Int64
    let codec: any FieldCodec
    let catalogs = CatalogCache()
    let subscriptions: SubscriptionCache
    let notificationLimits: NotificationLimits
    private let interruption = WriteInterruption()

    /// Opens a database, or creates it. Blocks the calling thread. Throws `RecordError`.
    ///
    /// - Parameters:
    ///   - number: names the database in the engine.
    ///   - newIdentity: the identity of a new database, by which tokens of other databases are recognised.
    ///   - firstNumber: changes and notifications of a new database get numbers above this one.
    ///   - notificationLimits: limits for the unread notifications of each person.
    package init(
        in engine: PostgresEngine, number: Int64, newIdentity: Int64, firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits = NotificationLimits()
    ) throws {
        self.engine = engine
        self.number = number
        self.codec = codec
        self.notificationLimits = notificationLimits
        let (subscriptions, catalogs) = (SubscriptionCache(codec: codec), catalogs)
        self.subscriptions = subscriptions
        identity = try engine.pool.runBlocking { connection in
            try connection.transaction(.writing, on: number) { session in
                let identity = try Self.open(session, newIdentity: newIdentity, firstNumber: firstNumber)
                let state = try WriteState(locking: session, catalogs)
                try subscriptions.load(state, session)
                return (true, identity)
            }
        }
    }

    /// Returns the identity of the database. A new one gets its row and the default zone.
    private static func open(
        _ session: Session, newIdentity: Int64, firstNumber: Int64
    ) throws -> Int64 {
        let count = try session.run(
            """
            INSERT INTO database (
                id, identity, sequence, time, horizon, deletions, leavings, catalog, subscriptions,
                last_notification, notification_horizon
            )
            VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, $3, $3)
            ON CONFLICT (id) DO NOTHING
            """,
            .integer(newIdentity), .integer(firstNumber), .integer(.min))
        if count == 1 {
            try ZoneTable(session: session).insert(1, ZoneID.defaultName, sequence: 0)
            return newIdentity
        }
        guard let row = try session.rows("SELECT identity FROM database WHERE id = $1").first else {
            throw WriteState.missing
        }
        return row.integer(0)
    }

    package func interruptWrites() { interruption.stop() }

    /// Closes the store. The engine stays open for its other databases.
    package func close() async throws {}

    /// Runs a read on a snapshot.
    func read<T: Sendable>(_ body: @escaping @Sendable (Session) throws -> T) async throws -> T {
        let number = number
        return try await engine.pool.run { connection in
            try connection.transaction(.reading, on: number) { (true, try body($0)) }
        }
    }

    /// Runs a write. It returns after the commit.
    ///
    /// - Parameter body: `stands` is false to undo the write; its result is returned all the same.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Session, inout WriteState) throws -> (stands: Bool, result: T)
    ) async throws -> T {
        let (number, catalogs, subscriptions) = (number, catalogs, subscriptions)
        let interruption = interruption
        try interruption.check()
        return try await engine.pool.run { connection in
            var committed: WriteState?
            let result = try connection.transaction(
                .writing, on: number, interruptedBy: interruption
            ) { session in
                var state = try WriteState(locking: session, catalogs)
                let (stands, result) = try body(session, &state)
                if stands {
                    try state.save(in: session)
                    committed = state
                }
                return (stands, result)
            }
            if let committed {
                catalogs.keep(committed.catalog)
                subscriptions.apply(committed)
            }
            return result
        }
    }
}
