import CloudletServer
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Posting the pushes of a commit", .timeLimit(.minutes(30)))
struct DeliveryBacklogTests {
    @Test("One task posts at a time, and the backlog posts the rest that requests leave")
    func cursor() {
        let cursor = DeliveryCursor(0)
        #expect(cursor.begin(upTo: 5)?.after == 0)
        #expect(cursor.begin(upTo: 9) == nil)
        cursor.end(at: 3)
        #expect(cursor.begin(upTo: 9, asBacklog: true) == nil)
        #expect(cursor.leaveToBacklog())
        #expect(!cursor.leaveToBacklog())
        #expect(cursor.begin(upTo: 9) == nil)
        #expect(cursor.begin(upTo: 9, asBacklog: true)?.after == 3)
        cursor.end(at: 9)
        // Another request came meanwhile, and left its notification to the backlog.
        #expect(cursor.begin(upTo: 10) == nil)
        #expect(!cursor.endBacklog())
        #expect(cursor.begin(upTo: 10, asBacklog: true)?.after == 9)
        cursor.end(at: 10)
        #expect(cursor.endBacklog())
        #expect(!cursor.leaveToBacklog())
        #expect(cursor.begin(upTo: 10) == nil)
        #expect(cursor.begin(upTo: 11)?.after == 10)
    }

    @Test("Notifications of another node are posted in the order of their numbers, each once")
    func nodes() throws {
        // Opened at 7. The other node tells late of 6 and 7.
        let cursor = DeliveryCursor(7)
        cursor.note(after: 5, upTo: 7)
        var next = try #require(cursor.begin(upTo: 7))
        #expect(next == (5, 7))
        cursor.end(at: 7)
        // This node writes 9, after 8 of the other, and posts both before it is told of 8.
        next = try #require(cursor.begin(upTo: 9))
        #expect(next == (7, 9))
        cursor.end(at: 9)
        cursor.note(after: 7, upTo: 8)
        #expect(cursor.begin(upTo: 9) == nil)
        // The other writes 10, of which this node's store does not know.
        cursor.note(after: 9, upTo: 10)
        #expect(try #require(cursor.begin(upTo: 9)) == (9, 10))
    }

    @Test("Another node's notifications from before a database was opened are posted, even after later ones")
    func skipped() throws {
        let cursor = DeliveryCursor(7)
        #expect(try #require(cursor.begin(upTo: 8)) == (7, 8))
        cursor.end(at: 8)
        cursor.note(after: 5, upTo: 7)
        #expect(cursor.hasWaiting(upTo: 8))
        #expect(try #require(cursor.begin(upTo: 9)) == (5, 7))
        // Even earlier ones, which another message names.
        cursor.note(after: 3, upTo: 5)
        #expect(cursor.end(at: 7) == 8)
        #expect(try #require(cursor.begin(upTo: 9)) == (3, 5))
        cursor.end(at: 5)
        cursor.note(after: 5, upTo: 7)
        #expect(try #require(cursor.begin(upTo: 9)) == (8, 9))
        #expect(cursor.end(at: 9) == 9)
        #expect(cursor.begin(upTo: 9) == nil)
    }

    @Test("Skipped notifications that cannot be read stay until they are posted, also by the backlog")
    func skippedAgain() throws {
        let cursor = DeliveryCursor(7)
        cursor.note(after: 7, upTo: 8)
        _ = cursor.begin(upTo: 8)
        cursor.end(at: 8)
        cursor.note(after: 3, upTo: 7)
        #expect(try #require(cursor.begin(upTo: 8)) == (3, 7))
        cursor.end(at: 4)
        #expect(cursor.leaveToBacklog())
        #expect(!cursor.endBacklog())
        for _ in 0..<2 {
            #expect(try #require(cursor.begin(upTo: 8, asBacklog: true)) == (4, 7))
            cursor.end(at: 4)
        }
        _ = cursor.begin(upTo: 8, asBacklog: true)
        cursor.end(at: 7)
        #expect(!cursor.hasWaiting(upTo: 8))
        #expect(cursor.endBacklog())
    }

    @Test("A database that is opened again continues where posting ended")
    func resumed() throws {
        let cursor = DeliveryCursor(9)
        cursor.resume(after: 7)
        #expect(try #require(cursor.begin(upTo: 9)) == (7, 9))
        cursor.end(at: 9)
        // It was posted before the database was closed.
        cursor.note(after: 5, upTo: 7)
        #expect(cursor.begin(upTo: 9) == nil)
        cursor.resume(after: 5)
        #expect(cursor.begin(upTo: 9) == nil)
    }

    @Test("A request that only reads posts no pushes; the next one that writes does")
    func readers() async throws {
        try await DeliveryTests.withAudience(.loopback, on: ["phone"]) { world, alice, _, _ in
            let databases = world.service.databases
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            // The server stops between a commit and the delivery of its pushes.
            let database = try await databases.context.provider.lease(key)
            let place = ContainerKey(container: key.container, environment: key.environment)
            let batch = WriteBatch(
                operations: [RecordOperation(.create, recordName: "a", recordType: "Party")],
                stamp: Stamp(at: world.service.runtime.now(), by: alice.recordName),
                schema: try await databases.schemaCache.schema(of: place))
            #expect(try await database.records.commit(batch).map(\.error) == [nil])
            await databases.context.provider.giveBack(key)
            _ = try await world.lookup("public", "a", as: alice)
            #expect(try await world.trace() == [])
            try await world.modify("public", [create("b")], as: alice)
            let trace = try await world.trace()
            #expect(trace.count { $0 == "all matched" } == 2, "\(trace)")
        }
    }

    @Test("All pushes of a commit are posted, also those beyond the number that a request posts")
    func many() async throws {
        try await withServer(.loopback, { $0.limits.pushTrace = 10_000 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            for number in 0..<12 { _ = try await world.courier(of: bob, on: "device \(number)") }
            try await world.modify("public", (0..<150).map { create("r\($0)") }, as: alice)
            try await until {
                try await world.trace().count { $0.hasPrefix("all matched") } == 150
            }
        }
    }

    /// Commits 150 records to the public database without posting their pushes, as if the request were still
    /// at work, and calls `body`. A device of another person is to get the pushes.
    private static func withUnposted(
        _ body: (ServerWorld, OpenDatabase) async throws -> Void
    ) async throws {
        try await withServer(.loopback) {
            $0.limits.pushTrace = 10_000
            // Waits end at once.
            $0.pause = { _ in }
        } _: { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            _ = try await world.courier(of: bob, on: "phone")
            let databases = world.service.databases
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            let place = ContainerKey(container: key.container, environment: key.environment)
            let batch = WriteBatch(
                operations: (0..<150).map {
                    RecordOperation(.create, recordName: "r\($0)", recordType: "Party")
                },
                stamp: Stamp(at: world.service.runtime.now(), by: alice.recordName),
                schema: try await databases.schemaCache.schema(of: place))
            let database = try await databases.context.provider.lease(key)
            do {
                let errors = try await database.records.commit(batch).compactMap(\.error)
                #expect(errors == [])
                try await body(world, database)
            } catch {
                await databases.context.provider.giveBack(key)
                throw error
            }
            await databases.context.provider.giveBack(key)
        }
    }

    @Test(
        "A request whose budget for reads is used up, or that is cancelled, posts all pushes all the same",
        arguments: ["budget", "cancellation"])
    func endedRequest(_ end: String) async throws {
        try await Self.withUnposted { world, database in
            let devices = world.service.devices
            // Posting also reads the devices from the directory.
            await devices.clearCache()
            if end == "budget" {
                await ReadBudget.$current.withValue(ReadBudget(steps: 0)) {
                    await devices.deliver(from: database)
                }
            } else {
                await withTaskGroup(of: Void.self) { group in
                    group.cancelAll()
                    group.addTask { await devices.deliver(from: database) }
                }
            }
            let posted = try await world.trace().count { $0.hasPrefix("all matched") }
            #expect(posted == 150)
        }
    }

    @Test("Pushes whose notifications cannot be read at the moment are posted later, and none is left out")
    func unreadable() async throws {
        try await Self.withUnposted { world, database in
            let devices = world.service.devices
            try await until { devices.backlog.isOpen }
            // From now on, the store reads few notifications at a time, and some reads fail with
            // `tryAgainLater`: after every hundredth instruction, SQLite interrupts the statement.
            database.records.interruptWrites()
            await devices.deliver(from: database)
            let last = database.records.lastNotification
            try await until { !database.delivery.hasWaiting(upTo: last) }
            let posted = try await world.trace().count { $0.hasPrefix("all matched") }
            #expect(posted == 150)
        }
    }

    @Test("A database that cannot be read rests, and the others have their turns meanwhile")
    func resting() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let provider = world.service.databases.context.provider
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            let opened = try await provider.lease(key)
            func database(_ owner: String) -> OpenDatabase {
                let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: owner)
                return OpenDatabase(key: key, records: opened.records, assets: opened.assets)
            }
            let backlog = DeliveryBacklog()
            let (turns, turn) = AsyncStream<String>.makeStream()
            let (ends, end) = AsyncStream<Void>.makeStream()
            let running = Task {
                await backlog.run { database in
                    turn.yield(database.key.owner ?? "")
                    return database.key.owner == "_a" ? .later : .done
                } rest: {
                    for await _ in ends { return }
                } drop: { database in
                    turn.yield("dropped \(database.key.owner ?? "")")
                }
            }
            try await until { backlog.isOpen }
            var names = turns.makeAsyncIterator()
            for owner in ["_a", "_b", "_c"] {
                let isAdded = backlog.add(database(owner))
                #expect(isAdded)
            }
            for owner in ["_a", "_b", "_c"] { #expect(await names.next() == owner) }
            end.yield()
            #expect(await names.next() == "_a")
            #expect(backlog.add(database("_d")))
            #expect(await names.next() == "_d")
            running.cancel()
            await running.value
            #expect(await names.next() == "dropped _a")
            await provider.giveBack(key)
        }
    }
}
