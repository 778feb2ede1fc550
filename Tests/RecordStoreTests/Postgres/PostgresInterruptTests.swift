import Foundation
import PostgreSQLSupport
import RecordStore
import Records
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Writes to PostgreSQL when the server stops", .needsPostgres, .timeLimit(.minutes(5)))
struct PostgresInterruptTests {
    /// Counts without an end.
    private static let endless = """
        WITH RECURSIVE number (n) AS (SELECT 1::bigint UNION ALL SELECT n + 1 FROM number)
        SELECT COUNT(*) FROM number
        """

    @Test(
        """
        A write that runs is interrupted and rolled back, those that wait are refused, and acknowledged ones \
        stay
        """)
    func interrupted() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let world = World(store: store)
            try await world.create("acknowledged")
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let errors = try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                group.addTask {
                    await #expect(throws: RecordError.self) {
                        try await store.write { session, _ in
                            try session.run("DELETE FROM record WHERE database = $1")
                            begin.finish()
                            try session.connection.execute(Self.endless)
                            return (true, ())
                        }
                    }
                }
                for await _ in begun {}
                // It waits for the first.
                group.addTask {
                    await #expect(throws: RecordError.self) { try await world.create("waiting") }
                }
                store.interruptWrites()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.map { $0?.code } == [.tryAgainLater, .tryAgainLater])
            let late = await #expect(throws: RecordError.self) { try await world.create("late") }
            #expect(late?.code == .tryAgainLater)
            #expect(try await world.names() == ["acknowledged"])
            try await store.close()
            let again = World(store: try StoreKind.postgres.open(in: folder))
            try await again.create("next")
            #expect(Set(try await again.names()) == ["acknowledged", "next"])
            try await again.finish()
        }
    }

    @Test("Many short statements of one write are interrupted too")
    func short() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let error = try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                group.addTask {
                    await #expect(throws: RecordError.self) {
                        try await store.write { session, _ in
                            begin.finish()
                            while try session.rows("SELECT id FROM database WHERE id = $1").count == 1 {}
                            return (true, ())
                        }
                    }
                }
                for await _ in begun {}
                store.interruptWrites()
                return try await group.next() ?? nil
            }
            #expect(error?.code == .tryAgainLater)
            try await store.close()
        }
    }

    /// Makes the commit of a transaction wait for an advisory lock.
    private func delayCommit(_ session: PostgresSession, by lock: Int64) throws {
        try session.connection.execute(
            """
            CREATE TEMPORARY TABLE slow (number bigint) ON COMMIT DELETE ROWS;
            CREATE FUNCTION pg_temp.wait() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN PERFORM pg_advisory_xact_lock(\(lock)); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON slow
                DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION pg_temp.wait();
            INSERT INTO slow VALUES (1)
            """)
    }

    /// The connections that wait for a lock.
    private func waiting(for lock: Int64) async throws -> [String] {
        try await PostgresKind.engine.get().texts("SELECT pid::text \(Self.waits(for: lock))", in: lock)
    }

    /// The connections that wait for a connection that waits for a lock.
    private func waiting(behind lock: Int64) async throws -> [String] {
        let sql = """
            SELECT pid::text
            FROM pg_locks
            WHERE NOT granted AND pg_blocking_pids(pid) && ARRAY(SELECT pid \(Self.waits(for: lock)))
            """
        return try await PostgresKind.engine.get().texts(sql, in: lock)
    }

    private static func waits(for lock: Int64) -> String {
        """
        FROM pg_locks
        WHERE locktype = 'advisory' AND NOT granted
            AND (classid::bigint << 32 | objid::bigint) = \(lock)
        """
    }

    @Test("A commit that was sent is awaited, and its result is reported")
    func committed() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let other = try PostgresKind.database(of: folder, identity: 7)
            let third = try PostgresKind.database(of: folder, identity: 7)
            let lock = PostgresKind.number(of: folder)
            let (held, hold) = AsyncStream.makeStream(of: Void.self)
            let gate = DispatchSemaphore(value: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { gate.signal() }
                // Another store of the same database holds the lock.
                group.addTask {
                    try await other.read { session in
                        try session.connection.execute("SELECT pg_advisory_xact_lock(\(lock))")
                        hold.finish()
                        gate.wait()
                    }
                }
                for await _ in held {}
                group.addTask {
                    try await store.write { session, _ in
                        try session.run("INSERT INTO released_asset (database, checksum) VALUES ($1, 'x')")
                        try delayCommit(session, by: lock)
                        return (true, ())
                    }
                }
                try await until { try await !waiting(for: lock).isEmpty }
                async let second: RecordError? = #expect(throws: RecordError.self) {
                    try await third.write { _, _ in (true, ()) }
                }
                try await until { try await !waiting(behind: lock).isEmpty }
                for store in [store, third] { store.interruptWrites() }
                // The second waits for the row of the database, and is interrupted; the first has the row.
                #expect(await second?.code == .tryAgainLater)
                gate.signal()
                try await group.waitForAll()
            }
            #expect(try await other.releasedAssets(limit: 9) == ["x"])
            try await store.close()
        }
    }
}
