import CloudletServer
import CloudletTesting
import Foundation
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Delivery of pushes", .timeLimit(.minutes(30)))
struct DeliveryTests {
    /// A world in which alice saves records and bob gets pushes on these devices. Results of polls are in the
    /// order of the devices.
    static func withAudience(
        _ transport: Transport, on devices: [String], info: JSON = ["alertBody": "New"],
        _ body: (ServerWorld, Person, Person, [String]) async throws -> Void
    ) async throws {
        try await withServer(transport) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            try await world.modify("public", [create("p", ["n": number(1)])], as: alice)
            let made = try await world.subscribe(
                "public", [subscription("all").with(["notificationInfo": info])], as: bob)
            #expect(made.items("subscriptions") == ["ok"])
            var couriers: [String] = []
            for device in devices { couriers.append(try await world.courier(of: bob, on: device)) }
            try await body(world, alice, bob, couriers)
        }
    }

    @Test(
        "A save answers the waiting poll, and removes the push from the queue",
        arguments: Transport.allCases)
    func poll(transport: Transport) async throws {
        try await Self.withAudience(transport, on: ["phone"]) { world, alice, bob, couriers in
            async let answer = world.send("GET", couriers[0])
            try await world.modify("public", [create("a")], as: alice)
            let reply = try await answer
            #expect(reply.status == 200)
            #expect(reply.json["aps"] == ["alert": ["body": "New"]])
            let ck = reply.json["ck"]
            #expect(ck["ce"] == 2)
            #expect(ck["cid"] == "iCloud.test")
            #expect(ck["ckuserid"].text == bob.recordName)
            #expect(UUID(uuidString: ck["nid"].text ?? "") != nil)
            #expect(
                ck["qry"] == [
                    "sid": "all", "rid": "a", "zid": "_defaultZone", "zoid": "_defaultOwner", "fo": 1,
                    "dbs": 1,
                ])
            try await world.modify("public", [create("b"), create("c")], as: alice)
            #expect(try await world.polled(couriers[0]) == "b")
            #expect(try await world.polled(couriers[0]) == "c")
        }
    }

    @Test("A poll without pushes ends with an empty answer; an unknown token is not found")
    func quiet() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = { $0.idle = { _ in } }
        try await serving(configure) { world in
            let bob = try await world.signIn("bob")
            let courier = try await world.courier(of: bob, on: "phone")
            let reply = try await world.send("GET", courier)
            #expect(reply.status == 200)
            #expect(reply.bytes == [])
            let strange = try await world.send("GET", "/push/poll?tok=abc")
            #expect(strange.failure == "404 NOT_FOUND: there is no device with this token")
        }
    }

    @Test("An absent device keeps the latest push", arguments: Transport.allCases)
    func away(transport: Transport) async throws {
        try await Self.withAudience(transport, on: ["phone", "pad"]) { world, alice, _, couriers in
            try await world.modify("public", [create("a")], as: alice)
            #expect(try await world.polled(couriers[0]) == "a")
            for name in ["b", "c"] {
                try await world.modify("public", [create(name)], as: alice)
            }
            world.clock.advance(bySeconds: 61)
            try await world.modify("public", [create("d")], as: alice)
            #expect(try await world.polled(couriers[0]) == "d")
            #expect(try await world.polled(couriers[1]) == "d")
            let trace = try await world.trace()
            #expect(trace.contains("all phone replaced: the device is absent: the latest push is kept"))
            #expect(trace.last == "all pad sent")
        }
    }

    @Test(
        "A device that announces it goes offline at once, and keeps the latest push",
        arguments: Transport.allCases)
    func leaving(transport: Transport) async throws {
        try await Self.withAudience(transport, on: ["phone"]) { world, alice, _, couriers in
            try await world.modify("public", [create("a")], as: alice)
            #expect(try await world.polled(couriers[0]) == "a")
            let leave = couriers[0].replacing("/push/poll", with: "/push/leave")
            #expect(try await world.send("POST", leave).status == 200)
            for name in ["b", "c"] {
                try await world.modify("public", [create(name)], as: alice)
            }
            #expect(try await world.polled(couriers[0]) == "c")
            let trace = try await world.trace()
            #expect(trace.contains("all phone replaced: the device is absent: the latest push is kept"))
            #expect(try await world.send("POST", "/push/leave?tok=abc").status == 404)
        }
    }

    @Test("A change that fires many subscriptions is posted to all of many devices")
    func manyCopies() async throws {
        try await serving { world in
            let bob = try await world.signIn("bob")
            try await world.call("private/zones/modify", zones(create: ["Z"]), as: bob)
            for number in 0..<30 { _ = try await world.courier(of: bob, on: "device\(number)") }
            let subscriptions = (0..<20).map { zoneSubscription("s\($0)", "Z") }
            try await world.subscribe("private", subscriptions, as: bob)
            let saved = try await world.call(
                "private/records/modify", batch([create("a")], zone: "Z"), as: bob)
            #expect(saved.records == ["ok"])
            let trace = try await world.trace()
            #expect(trace.filter { $0.contains(" queued") }.count == 600)
            #expect(trace.filter { $0.hasPrefix("s19 device29 queued") }.count == 1)
        }
    }

    @Test(
        "A change is pushed to the person's other devices, not to the one that made it",
        arguments: Transport.allCases)
    func maker(transport: Transport) async throws {
        try await Self.withAudience(transport, on: ["phone", "pad"]) { world, alice, bob, couriers in
            try await world.call(
                "public/records/modify", batch([create("a")]), as: bob, parameters: "clientId=phone",
                headers: ["X-Cloudlet-Details": "1"])
            try await world.modify("public", [create("b")], as: alice)
            #expect(try await world.polled(couriers[0]) == "b")
            #expect(try await world.polled(couriers[1]) == "b")
            let trace = try await world.trace()
            #expect(trace.contains("all pad replaced: the device is absent: the latest push is kept"))
            #expect(!trace.contains("all phone replaced: the device is absent: the latest push is kept"))
        }
    }

    @Test("A device is registered once, however the token of its push service is spelled")
    func spellings() async throws {
        try await serving { world in
            let bob = try await world.signIn("bob")
            let bytes = (0..<32).map { UInt8(0xa0 + $0) }
            let lower = bytes.hexadecimal
            let other = "ab" + String(lower.dropFirst(2))
            let encoded = Data(bytes).base64EncodedString()
            for spelling in [lower, lower.uppercased(), other.uppercased(), encoded] {
                let body: JSON = ["apnsEnvironment": "production", "apnsToken": .string(spelling)]
                let reply = try await world.device("tokens/register", body, as: bob)
                let expected = spelling == other.uppercased() ? other : lower
                #expect(reply.json["apnsToken"] == .string(expected), "\(spelling) \(reply.text)")
            }
            let devices = try await world.service.devices.registry.devices(
                of: bob.recordName, in: "iCloud.test", .development)
            #expect(devices.map(\.text).sorted() == [lower, other].sorted())
        }
    }

    @Test("A device keeps its token and can register it in another container")
    func tokens() async throws {
        try await serving { world in
            let bob = try await world.signIn("bob")
            let body: JSON = ["apnsEnvironment": "development", "clientId": "phone"]
            let first = try await world.device("tokens/create", body, as: bob)
            #expect(first.json.keys == ["apnsEnvironment", "apnsToken", "webcourierURL"])
            #expect(try await world.device("tokens/create", body, as: bob).json == first.json)
            let token = first.json["apnsToken"]
            let there = try await world.signIn("bob", container: "iCloud.other")
            let again = try await world.device(
                "tokens/register", body.with(["apnsToken": token]), as: there, container: "iCloud.other")
            #expect(again.json == first.json)
            let without = try await world.device("tokens/register", body, as: bob)
            #expect(without.failure == "400 BAD_REQUEST: apnsToken is required")
            for (count, status) in [(255, 200), (256, 400)] {
                let name = JSON.string(String(repeating: "x", count: count))
                for call in ["tokens/create", "tokens/register"] {
                    let named = body.with(["apnsToken": token, "clientId": name])
                    let answer = try await world.device(call, named, as: bob)
                    #expect(answer.status == status, "\(call) with a clientId of \(count) bytes")
                }
            }
            let nobody = try await world.device("tokens/create", body)
            #expect(nobody.status == 421)
            // Changes of the other container are pushed to the same device.
            try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["Z"]), as: there, container: "iCloud.other"
            )
            let all: JSON = ["subscriptionID": "all", "subscriptionType": "database"]
            try await world.call(
                "private/subscriptions/modify",
                ["operations": [["operationType": "create", "subscription": all]]], as: there,
                container: "iCloud.other")
            try await world.call(
                "private/records/modify", batch([create("a")], zone: "Z"), as: there,
                container: "iCloud.other")
            let push = try await world.send("GET", try #require(first.json["webcourierURL"].text))
            #expect(push.json["ck"]["met"] == ["sid": "all", "dbs": 2])
            #expect(push.json["ck"]["cid"] == "iCloud.other")
            #expect(push.json["aps"] == ["content-available": 1])
        }
    }

    @Test(
        "Faults drop, duplicate, reorder and delay pushes, and take a device offline",
        arguments: Transport.allCases
    )
    func dials(transport: Transport) async throws {
        try await Self.withAudience(transport, on: ["phone"]) { world, alice, _, couriers in
            func saves(_ names: String...) async throws {
                for name in names {
                    try await world.modify("public", [create(name)], as: alice)
                }
            }
            try await saves("a")
            #expect(try await world.polled(couriers[0]) == "a")
            world.server.faults.add(Fault(.pushDrop, device: "phone", count: 1))
            try await saves("b", "c")
            #expect(try await world.polled(couriers[0]) == "c")
            world.server.faults.add(Fault(.pushDuplicate, count: 1))
            try await saves("d")
            #expect(try await world.polled(couriers[0]) == "d")
            #expect(try await world.polled(couriers[0]) == "d")
            world.server.faults.add(Fault(.pushReorder, count: 1))
            try await saves("e", "f")
            #expect(try await world.polled(couriers[0]) == "f")
            #expect(try await world.polled(couriers[0]) == "e")
            world.server.faults.add(Fault(.deviceOffline, device: "phone", count: 2))
            try await saves("g", "h")
            #expect(try await world.polled(couriers[0]) == "h")
            world.server.faults.add(Fault(.deviceOffline, device: "phone"))
            let cut = try await world.send("GET", couriers[0])
            #expect(cut.status == 503)
            world.server.faults.clear()
            world.server.faults.add(Fault(.pushDelay, count: 1, seconds: 5))
            try await saves("i", "j")
            #expect(try await world.polled(couriers[0]) == "j")
            world.clock.advance(bySeconds: 5)
            #expect(try await world.polled(couriers[0]) == "i")
        }
    }
}
