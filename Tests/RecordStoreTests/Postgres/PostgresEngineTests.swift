import Foundation
import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("The databases of an engine", .needsPostgres)
struct PostgresEngineTests {
    private var address: String { get throws { try PostgresForTests.requiredAddress() } }

    private func open(_ name: String, in engine: any RecordStoreEngine, identity: Int64) async throws -> World
    {
        World(
            store: try await engine.store(
                named: name, newIdentity: identity, firstNumber: 0, codec: FieldJSON(),
                notificationLimits: NotificationLimits(), uptime: { .zero }))
    }

    @Test("An engine whose listening connection was ended listens again, and says that changes may be missed")
    func lostListener() async throws {
        let name = "lost-listener"
        let engine = try PostgresEngine(
            address: try address + " application_name=\(name)", process: 7, connections: 1)
        var changes = engine.changes.makeAsyncIterator()
        #expect(await changes.next() == .missed)
        #expect(engine.obstacle == nil)
        let other = try PostgresConnection(address)
        _ = try other.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
            [.text(name)], reuse: .none)
        #expect(await changes.next() == .missed)
        while engine.obstacle != nil { await Task.yield() }
        await engine.close()
        #expect(engine.obstacle?.code == .tryAgainLater)
    }

    @Test("Saves through two processes at once fill a database up to its quota, and no further")
    func quota() async throws {
        try await withNewSchema { address in
            let engines = try [1, 2].map { try PostgresEngine(address: address, process: $0, connections: 2) }
            let worlds = [
                try await open("full", in: engines[0], identity: 7),
                try await open("full", in: engines[1], identity: 7),
            ]
            try await worlds[0].create("r00")
            let bytes = try await worlds[0].store.usage().recordBytes
            let quota = StoreQuota(recordBytes: bytes * 10)
            let results = try await withThrowingTaskGroup(of: [ItemResult].self) { group in
                for number in 10..<50 {
                    group.addTask {
                        try await worlds[number % 2].commit(
                            [RecordOperation(.create, recordName: "r\(number)", recordType: "Party")],
                            quota: quota)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let (saved, errors) = (results.compactMap(\.record), results.compactMap(\.error))
            #expect(saved.count == 9)
            #expect(errors.map(\.code) == Array(repeating: .quotaExceeded, count: 31))
            #expect(try await worlds[1].store.usage().recordBytes == quota.recordBytes)
            for engine in engines { await engine.close() }
        }
    }

    @Test("A message arrives at the other processes as it was sent, however long, and not at the sender")
    func messages() async throws {
        try await withNewSchema { address in
            let one = try PostgresEngine(address: address, process: 1, connections: 1)
            let other = try PostgresEngine(address: address, process: 2, connections: 1)
            let texts = ["a b  c\n,", String(repeating: "0123456789", count: 789)]
            try await one.tell(texts)
            try await other.tell(["back"])
            var (here, there) = (one.changes.makeAsyncIterator(), other.changes.makeAsyncIterator())
            var arrived: [EngineChange?] = []
            for _ in 1...3 { arrived.append(await there.next()) }
            #expect(arrived == [.missed, .told(texts[0]), .told(texts[1])])
            #expect(await here.next() == .missed)
            #expect(await here.next() == .told("back"))
            await one.close()
            await other.close()
        }
    }

    @Test("What other processes removed, or removed and made again, without a message is noticed")
    func missedRemovals() {
        let numbers = PostgresDatabaseNumbers()
        for (number, name) in ["kept", "gone", "again"].enumerated() {
            numbers.apply(.added(name, Int64(number)))
        }
        #expect(numbers.replace(by: ["kept": 0, "again": 7, "new": 8]) == ["again", "gone"])
        #expect(numbers.names(beginningWith: "") == ["again", "kept", "new"])
        #expect(numbers["again"] == 7)
    }

    @Test("A database has a name, is found by it after a restart, and is removed alone")
    func names() async throws {
        try await withFolder { folder in
            let prefix = folder.lastPathComponent + "/"
            let engine = try PostgresEngine(address: address, process: 2, connections: 2)
            #expect(!engine.exists(prefix + "a"))
            for name in ["b", "a"] {
                let world = try await open(prefix + name, in: engine, identity: 7)
                try await world.create("record of \(name)", ["n": number(1)])
            }
            #expect(engine.names(beginningWith: prefix) == [prefix + "a", prefix + "b"])
            #expect(try await engine.bytes(of: prefix + "a") > 10)
            #expect(try await engine.bytes(of: prefix + "c") == 0)
            await engine.close()

            let again = try PostgresEngine(address: address, process: 2, connections: 2)
            #expect(again.exists(prefix + "a"))
            #expect(
                try await open(prefix + "a", in: again, identity: 8).names() == ["record of a"])
            try await again.remove(prefix + "a")
            try await again.remove(prefix + "a")
            #expect(again.names(beginningWith: prefix) == [prefix + "b"])
            #expect(try await open(prefix + "a", in: again, identity: 9).names() == [])
            #expect(
                try await open(prefix + "b", in: again, identity: 9).names() == ["record of b"])
            await again.close()
        }
    }

    @Test("A removed database leaves no row in any table")
    func removed() async throws {
        try await withFolder { folder in
            let engine = try PostgresEngine(address: address, process: 2, connections: 1)
            let name = folder.lastPathComponent
            let world = try await open(name, in: engine, identity: 7)
            let store = try #require(world.store as? PostgresStore)
            try await world.shareNote()
            try await world.subscribe(query("q"))
            try await world.commit(
                [create("a", ["n": number(1), "d": real(2), "t": text("tea"), "file": file("A")])], zone: "Z",
                from: "phone", named: ClientChange(token: [1]))
            let tables = try await engine.texts(
                """
                SELECT table_name::text
                FROM information_schema.columns
                WHERE table_schema = 'public' AND column_name = 'database'
                """,
                in: store.number)
            #expect(tables.count > 20)
            try await engine.remove(name)
            for table in tables {
                let rows = try await engine.texts("SELECT '\(table)' FROM \(table)", in: store.number)
                #expect(rows == [])
            }
            #expect(try await engine.texts("SELECT id::text FROM database", in: store.number) == [])
            await engine.close()
        }
    }

    @Test("The names of the databases, and the server's folder, are hidden from a transaction of a database")
    func hidden() async throws {
        let engine = try PostgresKind.engine.get()
        _ = try await open("hidden/name/", in: engine, identity: 7)
        _ = try await engine.bind(to: Installation(identifier: "folder", hasDirectory: true))
        #expect(try await engine.texts("SELECT name FROM record_database", in: 1) == [])
        #expect(try await engine.texts("SELECT folder FROM server", in: 1) == [])
    }

    @Test("The engine is bound to the first installation that asks")
    func binding() async throws {
        let engine = try PostgresKind.engine.get()
        let first = try await engine.bind(to: Installation(identifier: "one", hasDirectory: true))
        #expect(first?.hasDirectory == true)
        #expect(try await engine.bind(to: Installation(identifier: "two", hasDirectory: false)) == first)
        #expect(try await engine.bind(to: nil) == first)
    }

    @Test("A role for which row level security does not hold is refused, with the next step")
    func superuser() throws {
        let other = try address.replacing("user=cloudlet", with: "user=postgres")
        let error = #expect(throws: RecordError.self) { try PostgresEngine(address: other, process: 2) }
        #expect(error?.code == .badRequest)
        #expect(error?.culprit == "postgres")
        #expect(error?.nextStep?.contains("SUPERUSER") == true)
    }
}
