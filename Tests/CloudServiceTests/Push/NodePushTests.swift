import CloudletServer
import CloudletTesting
import Directory
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Pushes at a server of several nodes", .timeLimit(.minutes(30)))
struct NodePushTests {
    @Test(
        "After pushes were missed, devices connect again, and those from before get the latest push silently")
    func missed() async throws {
        try await withServer(.loopback, { $0.idle = { _ in } }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            let phone = try await world.courier(of: bob, on: "phone")
            try await world.modify("public", [create("a")], as: alice)
            #expect(try await world.polled(phone) == "a")
            #expect(try await world.send("GET", phone).bytes == [])

            world.clock.advance(bySeconds: 1)
            world.service.devices.missPushes()
            let cue = try await world.send("GET", phone)
            #expect(cue.json["aps"] == ["content-available": 1])
            #expect(cue.json["ck"]["qry"]["rid"] == "a")
            #expect(try await world.send("GET", phone).bytes == [])
            let later = try await world.courier(of: bob, on: "mac")
            #expect(try await world.send("GET", later).bytes == [])
        }
    }

    @Test(
        "Messages of other nodes are noted once for each database, and posted in the order of the first ones")
    func told() {
        let keys = ["_a", "_b", "_c"].map {
            DatabaseKey(container: "iCloud.test", environment: .development, owner: $0)
        }
        var told = ToldNotifications(limit: 2)
        for (after, key) in [(Int64(5), 0), (3, 1), (8, 0), (4, 0)] {
            let isNoted = told.add((after, after + 1), in: keys[key])
            #expect(isNoted)
        }
        let first = told.next()
        #expect(first?.key == keys[0])
        #expect(first?.range.after == 4)
        #expect(first?.range.upTo == 9)
        // What comes while they are posted is posted afterwards.
        _ = told.add((9, 10), in: keys[0])
        let (second, third, none) = (told.next(), told.next(), told.next())
        #expect(second?.key == keys[1])
        #expect(third?.key == keys[0])
        #expect(third?.range.after == 9)
        #expect(none == nil)
        // One database more than the limit: all is forgotten, and devices are told so.
        var areNoted: [Bool] = []
        for key in keys { areNoted.append(told.add((1, 2), in: key)) }
        #expect(areNoted == [true, true, false])
        let forgotten = told.next()
        #expect(forgotten == nil)
    }

    @Test("What waits for the gateway stays when pushes were missed")
    func gateway() throws {
        let hub = self.hub()
        hub.useGateway { _ in }
        let (phone, page) = (device(String(repeating: "0a", count: 32)), device("page"))
        hub.post(PushBody(message), to: [phone, page])
        hub.beginAgain(because: "a test")
        guard case .push(let push) = hub.nextForGateway(phone) else {
            Issue.record("the push for the gateway is gone")
            return
        }
        #expect(push.message.notification.id == "n")
        #expect(hub.state.withLock { $0.devices.slot(of: page) } == nil)
        #expect(hub.trace().map(\.outcome) == [.queued, .queued, .dropped])
    }

    @Test("A device that another person has registered gets none of the pushes of the person before")
    func otherOwner() throws {
        let hub = self.hub()
        hub.post(PushBody(message), to: [device("phone")])
        let connection = try hub.connect(device("phone", of: "_carol")).connection
        let slot = try #require(hub.state.withLock { $0.devices.slot(of: device("phone")) })
        let outbox = hub.state.withLock { $0.devices.slots[slot].outbox }
        #expect(outbox.queue == [])
        #expect(outbox.connection == connection)
        #expect(hub.trace().map(\.outcome) == [.queued, .dropped])
    }

    @Test("A device that moved from person to person at several nodes belongs to the last person only")
    func registrations() async throws {
        let directory = MemoryDirectory()
        let (here, there) = (DeviceRegistry(directory: directory), DeviceRegistry(directory: directory))
        let place = device("phone").containerKey
        func owners() async throws -> [String] {
            var owners: [String] = []
            for user in ["_alice", "_bob", "_carol"] {
                owners += try await here.devices(of: user, in: place.container, place.environment)
                    .map(\.user)
            }
            return owners
        }
        #expect(try await owners() == [])
        for user in ["_alice", "_bob"] {
            _ = try await there.add(device("phone", of: user), limit: 9)
            try await here.refresh("phone", in: place)
            #expect(try await owners() == [user])
        }
        _ = try await here.add(device("phone", of: "_carol"), limit: 9)
        #expect(try await owners() == ["_carol"])
    }

    @Test("A device that another node has registered gets pushes at this one as soon as it connects")
    func newDevice() async throws {
        let directory = MemoryDirectory()
        let (here, there) = (DeviceRegistry(directory: directory), DeviceRegistry(directory: directory))
        let place = device("phone").containerKey
        func devices() async throws -> [PushToken] {
            try await here.devices(of: "_bob", in: place.container, place.environment)
        }
        #expect(try await devices() == [])
        _ = try await there.add(device("phone"), limit: 9)
        // The other node has not told of it yet.
        let found = try await here.device("phone")
        #expect(found == device("phone"))
        #expect(try await devices() == [device("phone")])
        try await here.refresh("phone", in: place)
        #expect(try await devices() == [device("phone")])
    }

    private func hub() -> PushHub {
        PushHub(
            runtime: ServerRuntime(
                now: { Timestamp(milliseconds: 5) }, randomBytes: { [UInt8](repeating: 0, count: $0) },
                pause: { _ in }, idle: { _ in }, uptime: { .zero }, report: { _ in }, warn: { _ in }),
            limits: Limits(), faults: nil)
    }

    private func device(_ text: String, of user: String = "_bob") -> PushToken {
        PushToken(
            text: text, service: .development, container: "iCloud.test", environment: .development,
            user: user, client: nil, created: Timestamp(milliseconds: 0))
    }

    private var message: PushMessage {
        let notification = PushNotification(
            id: "n", subscriptionID: "s", cause: .query(RecordID(name: "a"), .create, fields: [:]),
            presentation: PushPresentation(), origin: Stamp(at: Timestamp(milliseconds: 0), by: "_alice"))
        return PushMessage(
            container: "iCloud.test", environment: .development, user: "_bob", database: .public,
            notification: notification)
    }
}
