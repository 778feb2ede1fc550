import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Two releases on one database", .needsPostgres)
struct PostgresReleaseTests {
    /// What a later release might add.
    private static let addition = PostgresMigrator.Step(
        "8: colours of zones", compatibleFrom: 7,
        """
        ALTER TABLE zone ADD COLUMN colour text;
        CREATE TABLE colour (name text PRIMARY KEY);
        """)
    private static let rename = PostgresMigrator.Step(
        "8: zones have titles", "ALTER TABLE zone RENAME COLUMN name TO title")

    /// The migrations of a release after this one.
    private func newer(_ steps: PostgresMigrator.Step...) -> PostgresMigrator {
        PostgresMigrator(notedIn: PostgresMigrations.table, PostgresMigrations.steps + steps)
    }

    private func open(_ engine: PostgresEngine) async throws -> World {
        World(
            store: try await engine.store(
                named: "c/development/", newIdentity: 7, firstNumber: 0, codec: FieldJSON(),
                notificationLimits: NotificationLimits(), uptime: { .zero }))
    }

    private func refusal(_ body: () throws -> Void) -> RecordError? {
        #expect(throws: RecordError.self) { try body() }
    }

    @Test("While a newer release adds to the tables, nodes of the earlier one save, and lose nothing")
    func addition() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 1, connections: 2)
            let world = try await open(engine)
            let migrator = newer(Self.addition)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    if number == 30 {
                        group.addTask { try migrator.migrate(PostgresConnection(address), attempts: 1) }
                    }
                    group.addTask { _ = try await world.create("r\(number)") }
                }
                try await group.waitForAll()
            }
            let saved = try await world.names().sorted()
            let names = (0..<60).map { "r\($0)" }.sorted()
            #expect(saved == names)
            _ = try await world.store.createZone(named: "Z")

            // A node of the earlier release can start, too.
            let other = try PostgresEngine(address: address, process: 2, connections: 1)
            let later = try await open(other)
            #expect(try await later.fetch("r59")?.id.name == "r59")
            try await later.create("late", zone: "Z")
            #expect(try await world.names(in: "Z") == ["late"])
            // The newer release uses what it added.
            let connection = try PostgresConnection(address)
            try migrator.migrate(connection)
            let rows = try connection.read(on: 1) {
                try $0.rows("SELECT 1 FROM zone WHERE colour IS NULL AND database = $1")
            }
            #expect(rows.count == 2)
            await engine.close()
            await other.close()
        }
    }

    @Test("A step that is not compatible waits until no node of an earlier release is left; none can start")
    func change() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 1, connections: 1)
            let world = try await open(engine)
            let migrator = newer(Self.rename)
            let connection = try PostgresConnection(address)
            let inUse = refusal { try migrator.migrate(connection, attempts: 1) }
            #expect(inUse?.culprit == "migration")
            #expect(inUse?.reason.contains("programs of an earlier release are using the tables") == true)
            #expect(inUse?.nextStep == "stop all nodes of the earlier release, then start this one")
            // Nothing has changed.
            try await world.create("a")
            #expect(try await world.names() == ["a"])
            await engine.close()

            try migrator.migrate(connection)
            let tooOld = refusal { _ = try PostgresEngine(address: address, process: 1) }
            #expect(tooOld?.culprit == "migration")
            #expect(
                tooOld?.reason
                    == "a newer release has changed the tables to version 8, which releases can use from "
                    + "version 8 on; this one has version 7")
            #expect(tooOld?.nextStep == "start the newer release")
        }
    }

    @Test("A node that has lost its connections during such a step is not ready, and refuses requests")
    func lost() async throws {
        try await withNewSchema { address in
            let name = "release-lost"
            let engine = try PostgresEngine(
                address: address + " application_name=\(name)", process: 1, connections: 1)
            let world = try await open(engine)
            try await world.create("a")
            let other = try PostgresConnection(address)
            try other.execute("INSERT INTO migration (number, title) VALUES (99, 'later')")
            _ = try other.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
                [.text(name)], reuse: .none)
            while engine.obstacle == nil { await Task.yield() }
            var errors: [RecordError?] = []
            for _ in 1...3 {
                let error = await #expect(throws: RecordError.self) { try await world.create("b") }
                errors.append(error)
            }
            #expect(errors.map { $0?.code } == [.tryAgainLater, .tryAgainLater, .tryAgainLater])
            #expect(errors.last??.culprit == "migration")
            await engine.close()
        }
    }

    @Test("A release uses tables of a newer one as long as each step after its own is compatible with it")
    func versions() async throws {
        try await withNewSchema { address in
            // The last step contracts the tables. Only releases from version 4 on survive that.
            let steps = [nil, 1, nil, 3, 4].enumerated().map { index, lowest in
                PostgresMigrator.Step(
                    "\(index + 1)", compatibleFrom: lowest, "CREATE TABLE t\(index + 1) ()")
            }
            func release(_ version: Int) -> PostgresMigrator {
                PostgresMigrator(notedIn: "small", Array(steps.prefix(version)))
            }
            let node = try PostgresConnection(address)
            try release(4).migrate(node)
            try release(4).reserve(node)
            let early = try PostgresConnection(address)
            try release(3).reserve(early)
            let connection = try PostgresConnection(address)
            let inUse = refusal { try release(5).migrate(connection, attempts: 1) }
            #expect(inUse?.reason.contains("version 5 of the tables is not compatible") == true)
            try early.execute("SELECT pg_advisory_unlock_all()")
            // The node with version 4 goes on.
            try release(5).migrate(connection, attempts: 1)
            for version in 1...5 {
                if version >= 4 {
                    try release(version).migrate(connection)
                    try release(version).reserve(connection)
                } else {
                    let errors = [
                        refusal { try release(version).migrate(connection) },
                        refusal { try release(version).reserve(connection) },
                    ]
                    for error in errors {
                        #expect(error?.culprit == "small")
                        #expect(error?.reason.contains("releases can use from version 4 on") == true)
                    }
                }
            }
        }
    }

    @Test("Programs that start at once run each step once")
    func together() async throws {
        try await withNewSchema { address in
            let migrator = newer(Self.addition)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 1...4 { group.addTask { try migrator.migrate(PostgresConnection(address)) } }
                try await group.waitForAll()
            }
            let rows = try PostgresConnection(address).run(
                "SELECT number FROM migration ORDER BY number", [])
            #expect(rows.map { $0.integer(0) } == Array(1...8))
        }
    }
}
