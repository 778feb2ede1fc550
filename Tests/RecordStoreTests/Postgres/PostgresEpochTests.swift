import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("A new epoch after the engine was restored to a point in time", .needsPostgres)
struct PostgresEpochTests {
    private func open(
        _ name: String = "c/development/", in engine: PostgresEngine, like world: World? = nil
    ) async throws -> World {
        let store = try await engine.store(
            named: name, newIdentity: 7, firstNumber: 0, codec: FieldJSON(),
            notificationLimits: NotificationLimits(), uptime: { .zero })
        return World(store: store, schema: world?.schema ?? Schema(), time: world == nil ? 0 : 1_000_000)
    }

    private func expectExpired(_ body: () async throws -> some Sendable) async {
        let error = await #expect(throws: RecordError.self) { _ = try await body() }
        #expect(error?.code == .changeTokenExpired)
    }

    /// Copies the rows of a database.
    private func copyRows(of world: World, in engine: PostgresEngine) async throws {
        let number = try #require(world.store as? PostgresStore).number
        for table in ["database"] + PostgresMigrations.databaseTables {
            _ = try await engine.texts("CREATE TABLE copy_of_\(table) AS SELECT * FROM \(table)", in: number)
        }
    }

    /// Sets the rows of a database back to those of the copy, as a restore of the engine does.
    private func setBack(_ world: World, in engine: PostgresEngine) async throws {
        let number = try #require(world.store as? PostgresStore).number
        for table in ["database"] + PostgresMigrations.databaseTables {
            _ = try await engine.texts("DELETE FROM \(table)", in: number)
            _ = try await engine.texts("INSERT INTO \(table) SELECT * FROM copy_of_\(table)", in: number)
        }
    }

    private func tag(of name: String, in world: World, zone: String = "Z") async throws -> Int64? {
        try await world.store.records(named: [name], in: zone).first?.map(\.sequence)
    }

    @Test(
        "Tokens from after the point expire, everything can be fetched again, and no change tag comes twice")
    func restored() async throws {
        try await withNewSchema { address in
            var engine = try PostgresEngine(address: address, process: 1, connections: 2)
            var world = try await open(in: engine)
            _ = try await world.store.createZone(named: "Z")
            try await world.subscribe(RecordStoreTests.database("all"))
            for name in ["a", "b"] { try await world.create(name, zone: "Z") }
            try await copyRows(of: world, in: engine)

            var tags: Set<Int64> = []
            for life in 1...3 as ClosedRange<Int64> {
                // What is saved from here on is lost.
                let first = try await tag(of: "a", in: world)
                try await world.save(
                    RecordOperation(.forceUpdate, recordName: "a", recordType: "Party"), zone: "Z")
                for name in ["c", "d", "e"] { try await world.create(name, zone: "Z") }
                for name in ["a", "c", "d", "e"] {
                    let new = try #require(try await tag(of: name, in: world))
                    let isNew = tags.insert(new).inserted
                    #expect(isNew, "\(name) in life \(life)")
                }
                let zone = try await world.store.changes(ChangesRequest(zone: "Z", limit: 100)).token
                let database = try await world.store.zoneChanges(since: nil, limit: 9).token
                let told = try await world.store.notifications(of: "_bob", after: 0, limit: 9).end

                try await setBack(world, in: engine)
                #expect(try await engine.begin(DatabaseEpoch(identity: life << 8, gap: life << 42)) == 1)
                await engine.close()
                engine = try PostgresEngine(address: address, process: 1, connections: 2)
                world = try await open(in: engine, like: world)

                await expectExpired {
                    try await world.store.changes(ChangesRequest(zone: "Z", since: zone, limit: 9))
                }
                await expectExpired { try await world.store.zoneChanges(since: database, limit: 9) }
                await expectExpired {
                    try await world.store.notifications(of: "_bob", after: told, limit: 9)
                }
                #expect(try await world.names(in: "Z") == ["a", "b"])
                #expect(try await tag(of: "a", in: world) == first)
                let page = try await world.store.notifications(of: "_bob", after: 0, limit: 9)
                #expect(page.notifications.count == 2)
            }
            await engine.close()
        }
    }

    @Test("Every database gets another identity and a gap, and row level security holds afterwards")
    func databases() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 1, connections: 2)
            let worlds = [try await open("a", in: engine), try await open("b", in: engine)]
            let numbers = worlds.compactMap { ($0.store as? PostgresStore)?.number }
            let epoch = DatabaseEpoch(identity: 0, gap: 1 << 45)
            #expect(try await engine.begin(epoch) == 2)
            for number in numbers {
                let rows = try await engine.texts(
                    "SELECT identity || ' ' || sequence FROM database", in: number)
                // The databases had the identity 7, and no changes.
                #expect(rows == ["6 \(epoch.gap)"])
            }
            let empty = try PostgresConnection(address).run("SELECT 1 FROM database", [])
            #expect(empty.isEmpty)
            await engine.close()
        }
    }
}
