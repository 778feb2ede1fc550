import PostgreSQLSupport
package import RecordStore
package import Records
import Synchronization

/// A `RecordStore` in one record database of a PostgreSQL engine.
///
/// Of the database, only the catalog of types and the subscriptions are cached in memory. Each transaction
/// compares their numbers with those in the database, so it never uses a cache that another process has made
/// out of date.
package final class PostgresStore: RecordStore {
    private let engine: PostgresEngine
    /// The number of the database in all keys.
    package let number: Int64
    let identity: Int64
    /// The number of this process.
    var process: Int64 { engine.process }
    let codec: any FieldCodec
    let catalogs = PostgresCatalogCache()
    let subscriptions: PostgresSubscriptionCache
    let notificationLimits: NotificationLimits
    private let interruption = WriteInterruption()
    let writes = WriteQueue<PostgresGroup.Work>()
    /// Runs the groups of `writes` until none wait.
    private let writer = Mutex<Task<Void, Never>?>(nil)
    private let uptime: @Sendable () -> Duration

    /// Opens a database, or creates it. Blocks the calling thread. Throws `RecordError`.
    ///
    /// - Parameters:
    ///   - number: names the database in the engine.
    ///   - newIdentity: the identity of a new database, by which tokens of other databases are recognised.
    ///   - firstNumber: changes and notifications of a new database get numbers above this one.
    ///   - notificationLimits: limits for the notifications of each person.
    ///   - uptime: the clock that ends a group of writes after its time; the default never ends one.
    package init(
        in engine: PostgresEngine, number: Int64, newIdentity: Int64, firstNumber: Int64 = 0,
        codec: any FieldCodec, notificationLimits: NotificationLimits = NotificationLimits(),
        uptime: @escaping @Sendable () -> Duration = { .zero }
    ) throws {
        self.engine = engine
        self.number = number
        self.codec = codec
        self.notificationLimits = notificationLimits
        self.uptime = uptime
        let (subscriptions, catalogs) = (PostgresSubscriptionCache(codec: codec), catalogs)
        self.subscriptions = subscriptions
        identity = try engine.pool.runBlocking { connection in
            try connection.transaction(.writing, on: number) { session in
                let identity = try Self.open(session, newIdentity: newIdentity, firstNumber: firstNumber)
                let state = try PostgresWriteState(locking: session, catalogs)
                try subscriptions.load(state, session)
                return (true, identity)
            }
        }
    }

    /// Returns the identity of the database. A new one gets its row and the default zone.
    private static func open(
        _ session: PostgresSession, newIdentity: Int64, firstNumber: Int64
    ) throws -> Int64 {
        let count = try session.count(
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
            try PostgresZoneTable(session: session).insert(1, ZoneID.defaultName, sequence: 0)
            return newIdentity
        }
        guard let row = try session.rows("SELECT identity FROM database WHERE id = $1").first else {
            throw PostgresWriteState.missing
        }
        return row.integer(0)
    }

    package func interruptWrites() {
        let refused = writes.stop()
        interruption.stop()
        // The task stops waiting for a place. A group that has one is not cancelled.
        writer.withLock { $0 }?.cancel()
        writes.refuse(refused)
    }

    /// Closes the store, after the writes that wait. The engine stays open for its other databases.
    package func close() async throws {
        let running = writer.withLock { $0 }
        await running?.value
    }

    /// Runs a read on a snapshot. Throws `ReadBudget.Exceeded` if the task's budget is used up before the
    /// read is done.
    func read<T: Sendable>(_ body: @escaping @Sendable (PostgresSession) throws -> T) async throws -> T {
        let number = number
        return try await engine.reads.run { try $0.read(on: number, body) }
    }

    /// Reads on a snapshot in one round trip. Throws as `read` does.
    ///
    /// - Parameters:
    ///   - send: sends statements that need no results of each other.
    ///   - take: gets what `send` returned. All answers are complete.
    func readAtOnce<Answers, T: Sendable>(
        send: @escaping @Sendable (PostgresSession) throws -> Answers,
        take: @escaping @Sendable (Answers) throws -> T
    ) async throws -> T {
        let number = number
        return try await engine.reads.run { try take($0.readAtOnce(on: number, send)) }
    }

    /// The result of a write, and whether the write stands. If it does not, the write is undone; the result
    /// is returned nevertheless.
    typealias WriteResult<T> = (stands: Bool, result: T)

    /// Runs a write, and returns its result when it is committed. Writes that wait share a transaction.
    ///
    /// - Parameters:
    ///   - payer: the person on whose behalf it writes; payers take turns.
    ///   - weight: about how many bytes of fields it writes. From `WriteGroup.heavyWeight` on, it waits with
    ///     the heavy writes of other databases.
    func write<T: Sendable>(
        for payer: String = "", weight: Int = 1024,
        _ body: @escaping @Sendable (PostgresSession, inout PostgresWriteState) throws -> WriteResult<T>
    ) async throws -> T {
        let box = ResultBox<T>()
        let work: PostgresGroup.Work = { session, state in
            let (stands, result) = try body(session, &state)
            box.set(result)
            return stands
        }
        try await writes.submit(for: payer, weight: weight, work) { runGroups() }
        guard let result = box.take() else { throw RecordError(.internalError, "a write gave no result") }
        return result
    }

    /// Runs the waiting writes group by group, each when its database has its turn. Their callers' tasks do
    /// not run them, because the end of one caller must not end the writes of others.
    private func runGroups() {
        writer.withLock {
            $0 = Task.detached { [self] in
                while let isHeavy = writes.isNextHeavy() {
                    guard await runGroup(isHeavy: isHeavy) else { return }
                }
            }
        }
    }

    /// Runs the next group. Returns false if its writes were refused while it waited.
    private func runGroup(isHeavy: Bool) async -> Bool {
        do {
            return try await engine.writes.run(on: number, isHeavy: isHeavy) { [self] connection -> Bool in
                // The group is taken only now, so that writes that arrive while it waits belong to it.
                guard let jobs = writes.takeGroup() else { return false }
                do { try run(jobs, connection) } catch { writes.fail(jobs, error) }
                return true
            }
        } catch {
            // It got no connection.
            guard let jobs = writes.takeGroup() else { return false }
            writes.fail(jobs, error)
            return true
        }
    }

    private func run(_ jobs: [WriteQueue<PostgresGroup.Work>.Job], _ connection: PostgresConnection) throws {
        let group = PostgresGroup(
            session: PostgresSession(connection: connection, database: number), catalogs: catalogs,
            subscriptions: subscriptions, interruption: interruption)
        let (state, outcomes) = try group.commit(jobs, uptime: uptime)
        if let state {
            catalogs.keep(state.catalog)
            subscriptions.apply(state)
        }
        writes.finish(jobs, outcomes)
    }
}
