import CloudKit
import CloudletServer
import CloudletTesting
import Records
import Testing

@testable import TestKit

@Suite("Receiving pushes", .timeLimit(.minutes(30)))
struct ListeningTests {
    private static let identifier = "iCloud.com.example.parties"

    /// Runs the body in a world where Alice has subscribed to new parties, and Bob saves them.
    private static func withListener(
        _ body: (CloudletWorld, _ phone: CKContainer, _ bob: CKDatabase) async throws -> Void
    ) async throws {
        try await CloudletWorld.run { world in
            let phone = try await world.container(identifier, as: "alice", on: "phone")
            let bob = try await world.container(identifier, as: "bob", on: "mac").publicCloudDatabase
            try await bob.save(CKRecord(recordType: "Party"))
            try await phone.publicCloudDatabase.save(
                CKQuerySubscription(
                    recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "parties",
                    options: .firesOnRecordCreation))
            try await body(world, phone, bob)
        }
    }

    private static func first(of pushes: AsyncStream<CKNotification>) async -> CKRecord.ID? {
        for await push in pushes { return (push as? CKQueryNotification)?.recordID }
        return nil
    }

    @Test("A device receives the push of the first save after pushes() has returned")
    func firstSave() async throws {
        try await Self.withListener { world, _, bob in
            for number in 1...20 {
                let device = try await world.container(Self.identifier, as: "alice", on: "pad \(number)")
                let pushes = await device.pushes()
                let party = try await bob.save(CKRecord(recordType: "Party"))
                let heard = await Self.first(of: pushes)
                #expect(heard == party.recordID)
            }
        }
    }

    @Test("pushes() waits until the server can be reached")
    func waiting() async throws {
        try await Self.withListener { world, phone, bob in
            world.server.faults.add(Fault(.deviceOffline, device: "phone", count: 1))
            let states = Log()
            let listening = Task { await phone.pushes { states.add($0 ? "open" : "broken") } }
            try await until { world.clock.waiting > 0 }
            #expect(states.all == [])
            world.clock.advance(bySeconds: 1)
            let pushes = await listening.value
            #expect(states.all == ["open"])
            let party = try await bob.save(CKRecord(recordType: "Party"))
            let heard = await Self.first(of: pushes)
            #expect(heard == party.recordID)
        }
    }

    @Test("Cancelling the task ends the wait of pushes()")
    func cancelling() async throws {
        try await Self.withListener { world, phone, _ in
            world.server.faults.add(Fault(.deviceOffline, device: "phone"))
            let listening = Task {
                for await _ in await phone.pushes() {}
            }
            try await until { world.clock.waiting > 0 }
            listening.cancel()
            await listening.value
        }
    }

    @Test("Listeners over one connection all receive each push, and one takes the place of one that ends")
    func together() async throws {
        try await Self.withListener { world, phone, bob in
            let states = Log()
            let copy = CKContainer(identifier: Self.identifier, connection: phone.connection)
            let (ended, first) = (Log(), Log())
            let keeping = Task {
                for await push in await phone.pushes(onStateChange: { first.add($0 ? "open" : "broken") }) {
                    ended.add((push as? CKQueryNotification)?.recordID?.recordName ?? "")
                }
            }
            try await until { first.all == ["open"] }
            let pushes = await copy.pushes { states.add($0 ? "open" : "broken") }
            let party = try await bob.save(CKRecord(recordType: "Party"))
            var heard = pushes.makeAsyncIterator()
            let push = await heard.next()
            #expect((push as? CKQueryNotification)?.recordID == party.recordID)
            try await until { ended.all == [party.recordID.recordName] }
            #expect(states.all == ["open"])
            #expect(first.all == ["open"])

            keeping.cancel()
            await keeping.value
            // Pushes may have been lost until the remaining listener has connected, so it receives a state
            // change.
            try await until { states.all == ["open", "broken", "open"] }
            let next = try await bob.save(CKRecord(recordType: "Party"))
            let later = await heard.next()
            #expect((later as? CKQueryNotification)?.recordID == next.recordID)
        }
    }

    @Test("Connections with different transports do not share one for pushes")
    func transports() async throws {
        try await Self.withListener { world, phone, bob in
            let pushes = await phone.pushes()
            var connection = phone.connection
            connection.transport = WatchedTransport(connection.transport) { _ in
                throw CloudTransportError.unreachable("the other server is off line")
            }
            let other = CKContainer(identifier: Self.identifier, connection: connection)
            let states = Log()
            let listening = Task { await other.pushes { states.add($0 ? "open" : "broken") } }
            try await until { world.clock.waiting > 0 }
            #expect(states.all == [])
            listening.cancel()
            _ = await listening.value
            let party = try await bob.save(CKRecord(recordType: "Party"))
            let heard = await Self.first(of: pushes)
            #expect(heard == party.recordID)
        }
    }
}
