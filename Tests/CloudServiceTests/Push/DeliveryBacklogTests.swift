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
        #expect(cursor.note(after: 5, upTo: 7) == nil)
        var next = try #require(cursor.begin(upTo: 7))
        #expect(next == (5, 7))
        cursor.end(at: 7)
        // This node writes 9, after 8 of the other, and posts both before it is told of 8.
        next = try #require(cursor.begin(upTo: 9))
        #expect(next == (7, 9))
        cursor.end(at: 9)
        #expect(cursor.note(after: 7, upTo: 8) == nil)
        #expect(cursor.begin(upTo: 9) == nil)
        // The other writes 10, of which this node's store does not know.
        #expect(cursor.note(after: 9, upTo: 10) == nil)
        #expect(try #require(cursor.begin(upTo: 9)) == (9, 10))
    }

    @Test("Another node's notifications from before a database was opened are posted, even after later ones")
    func skipped() throws {
        let cursor = DeliveryCursor(7)
        #expect(try #require(cursor.begin(upTo: 8)) == (7, 8))
        cursor.end(at: 8)
        #expect(try #require(cursor.note(after: 5, upTo: 7)) == (5, 7))
        #expect(cursor.note(after: 5, upTo: 7) == nil)
        #expect(cursor.begin(upTo: 8) == nil)
    }

    @Test("A database that is opened again continues where posting ended")
    func resumed() throws {
        let cursor = DeliveryCursor(9)
        cursor.resume(after: 7)
        #expect(try #require(cursor.begin(upTo: 9)) == (7, 9))
        cursor.end(at: 9)
        // It was posted before the database was closed.
        #expect(cursor.note(after: 5, upTo: 7) == nil)
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
}
