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

@Suite("Limits of pushes", .timeLimit(.minutes(30)))
struct PushLimitTests {
    @Test("The limits of pushes are published under their names")
    func published() async throws {
        try await serving({ $0.limits.notificationsPerPerson = 30 }) { world in
            let limits = try await world.send("GET", "/limits").json
            #expect(limits["notificationsPerPerson"] == 30)
            #expect(limits["subscriptions"] == 200)
            #expect(limits["subscriptionElements"] == 10_000)
            #expect(limits["pushFields"] == 3)
            #expect(limits["pushTextCharacters"] == 100)
            #expect(limits["pushBytes"] == 4096)
            #expect(limits["devicesPerPerson"] == 100)
            #expect(limits["pushQueue"] == 100)
            #expect(limits["pushSeconds"] == 2_592_000)
            #expect(limits["pushPresenceSeconds"] == 60)
            #expect(limits["pushPollSeconds"] == 25)
            #expect(limits["notificationSeconds"] == 7_776_000)
        }
    }

    @Test("The subscriptions of a person and of a request are limited")
    func subscriptions() async throws {
        try await serving({ $0.limits.subscriptions = 2 }) { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("p")], as: alice)
            let events = [["create"], ["update"], ["delete"]]
            let three = events.map { subscription($0[0], on: $0) }
            let tooMany = try await world.subscribe("public", three, as: alice)
            #expect(tooMany.status == 400)
            let fits = try await world.subscribe("public", Array(three[..<2]), as: alice)
            #expect(fits.items("subscriptions") == ["ok", "ok"])
            let more = try await world.subscribe("public", [three[2]], as: alice)
            #expect(more.items("subscriptions")[0].contains("more than 2 subscriptions"))
        }
    }

    @Test("The values in the conditions of a person's subscriptions are limited, with an error that says so")
    func subscriptionElements() async throws {
        try await serving({ $0.limits.subscriptionElements = 3 }) { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("p", ["name": text("n")])], as: alice)
            func list(_ count: Int) -> JSON {
                let names = (0..<count).map { JSON.string("n\($0)") }
                return filter("name", "NOT_IN", ["value": .array(names), "type": "STRING_LIST"])
            }
            let fits = try await world.subscribe("public", [subscription("a", where: list(3))], as: alice)
            #expect(fits.items("subscriptions") == ["ok"])
            let more = try await world.subscribe(
                "public", [subscription("b", where: list(1))], as: alice, details: true)
            #expect(
                more.items("subscriptions") == [
                    "BAD_REQUEST: the conditions of all subscriptions in one database have more than 3 "
                        + "values together (subscriptionElements)"
                ])
        }
    }

    @Test("One device more than the limit removes the oldest one")
    func devices() async throws {
        try await serving({ $0.limits.devicesPerPerson = 2 }) { world in
            let bob = try await world.signIn("bob")
            var couriers: [String] = []
            for name in ["phone", "pad"] { couriers.append(try await world.courier(of: bob, on: name)) }
            #expect(try await world.courier(of: bob, on: "phone") == couriers[0])
            world.clock.advance(bySeconds: 1)
            _ = try await world.courier(of: bob, on: "mac")
            #expect(try await world.send("GET", couriers[0]).status == 404)
            #expect(try await world.courier(of: bob, on: "pad") == couriers[1])
        }
    }

    @Test("One notification more than the limit removes the oldest tenth")
    func notifications() async throws {
        try await serving({ $0.limits.notificationsPerPerson = 20 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all", on: ["create"])], as: bob)
            func collected() async throws -> [String?] {
                try await world.device("notifications/changes", as: bob).json["notifications"].elements
                    .map { $0["ck"]["qry"]["rid"].text }
            }
            let names = (1...20).map { "r\($0)" }
            try await world.modify("public", names.map { create($0) }, as: alice)
            #expect(try await collected() == names)
            try await world.modify("public", [create("more")], as: alice)
            #expect(try await collected() == Array(names[3...]) + ["more"])
        }
    }

    @Test("The texts, keys and arguments of a subscription are limited in bytes together")
    func subscriptionBytes() async throws {
        try await serving({ $0.limits.subscriptionBytes = 100 }) { world in
            let alice = try await world.signIn("alice")
            let party = create("p", ["name": text("n")])
            try await world.modify("public", [party], as: alice)
            // The type has 5 bytes.
            func refusal(_ info: JSON, where filter: JSON? = nil) async throws -> String {
                let body = subscription("s", where: filter).with(["notificationInfo": info])
                let reply = try await world.subscribe("public", [body], as: alice, details: true)
                #expect(try await world.unsubscribe("public", ["s"], as: alice).status == 200)
                return reply.items("subscriptions")[0]
            }
            func long(_ count: Int) -> JSON { .string(String(repeating: "x", count: count)) }
            let refused =
                "BAD_REQUEST: the texts, keys and arguments of the subscription take up more than 100 bytes"
            for name in [
                "alertBody", "title", "subtitle", "alertLocalizationKey", "titleLocalizationKey",
                "subtitleLocalizationKey", "alertActionLocalizationKey", "alertLaunchImage", "soundName",
                "category", "collapseIDKey",
            ] {
                #expect(try await refusal(.object([name: long(95)])) == "ok", "\(name)")
                #expect(try await refusal(.object([name: long(96)])) == refused, "\(name)")
            }
            for name in [
                "alertLocalizationArgs", "titleLocalizationArgs", "subtitleLocalizationArgs",
                "additionalFields",
            ] {
                #expect(try await refusal(.object([name: [long(80), long(15)]])) == "ok", "\(name)")
                #expect(try await refusal(.object([name: [long(80), long(16)]])) == refused, "\(name)")
            }
            let empty = JSON.array(Array(repeating: "", count: 96))
            #expect(try await refusal(["alertLocalizationArgs": empty]) == refused)
            for (count, result) in [(91, "ok"), (92, refused)] {
                let condition = filter("name", "EQUALS", ["value": long(count), "type": "STRING"])
                #expect(try await refusal([:], where: condition) == result)
            }
            let far: JSON = ["recordName": "x", "zoneID": ["zoneName": long(92)]]
            let condition = filter("name", "EQUALS", ["value": far, "type": "REFERENCE"])
            #expect(try await refusal([:], where: condition) == refused)
        }
    }

    @Test("A page of the collection is limited in bytes over both databases")
    func pageBytes() async throws {
        try await withServer(.loopback, { $0.limits.notificationPageBytes = 1 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.modify("private", [create("p")], as: bob)
            for database in ["public", "private"] {
                try await world.subscribe(database, [subscription("all", on: ["create"])], as: bob)
            }
            try await world.modify("public", [create("a"), create("b")], as: alice)
            try await world.modify("private", [create("c")], as: bob)
            var (token, told, pages) = (JSON.null, [String?](), 0)
            var moreComing = true
            while moreComing, pages < 9 {
                let body: JSON = token == .null ? [:] : ["syncToken": token]
                let page = try await world.device("notifications/changes", body, as: bob).json
                let found = page["notifications"].elements
                #expect(found.count == 1)
                told += found.map { $0["ck"]["qry"]["rid"].text }
                token = page["syncToken"]
                moreComing = page["moreComing"] == true
                pages += 1
            }
            #expect(told == ["a", "b", "c"])
        }
    }

    @Test("One push connection more than a person's limit ends the oldest one")
    func streams() async throws {
        try await withServer(.loopback, { $0.limits.streamsPerPerson = 2 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            var devices: [PushToken] = []
            for name in ["phone", "pad", "mac"] {
                devices.append(try await world.registered(try await world.courier(of: bob, on: name)))
            }
            let other = try await world.registered(try await world.courier(of: alice, on: "phone"))
            let pushes = world.service.pushHub
            func isOver(_ device: PushToken, _ connection: Int) -> Bool {
                pushes.state.withLock { state in
                    let slot = state.devices.slot(of: device)
                    return slot.map { state.devices.slots[$0].outbox.connection != connection } ?? true
                }
            }
            var open: [Int] = []
            for device in devices[..<2] { open.append(try await world.service.pushes.connect(device)) }
            let others = try await world.service.pushes.connect(other)
            // A new connection of a device replaces its earlier one.
            let later = try await world.service.pushes.connect(devices[0])
            #expect(isOver(devices[0], open[0]))
            #expect(!isOver(devices[1], open[1]))
            let third = try await world.service.pushes.connect(devices[2])
            #expect(isOver(devices[1], open[1]))
            #expect(!isOver(devices[0], later))
            #expect(!isOver(devices[2], third))
            #expect(!isOver(other, others))
            guard case .ended = try await pushes.next(devices[1], open[1], atMost: 1) else {
                Issue.record("the connection goes on")
                return
            }
            // A connection that has ended does not count.
            pushes.disconnect(devices[0], later, isPoll: false)
            let again = try await world.service.pushes.connect(devices[1])
            #expect(!isOver(devices[2], third))
            #expect(!isOver(devices[1], again))
        }
    }

    @Test("A poll counts as a request of the device's owner")
    func polls() async throws {
        try await serving(
            {
                $0.limits.personRate = .init(requests: 3, seconds: 3)
                $0.idle = { _ in }
            }
        ) { world in
            let bob = try await world.signIn("bob")
            let courier = try await world.courier(of: bob, on: "phone")
            for _ in 1...2 { #expect(try await world.send("GET", courier).status == 200) }
            let refused = try await world.send("GET", courier)
            #expect(refused.failure == "429 THROTTLED: too many requests")
            #expect(refused.headers["Retry-After"] == "1")
        }
    }

    @Test("Waiting pushes are dropped when their device is removed for any reason")
    func places() async throws {
        try await withServer(.loopback, { $0.limits.devicesPerPerson = 2 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            for person in [alice, bob] {
                try await world.subscribe("public", [subscription("all")], as: person)
            }
            var devices: [PushToken] = []
            for person in [bob, bob, alice] {
                let courier = try await world.courier(of: person, on: "device \(devices.count)")
                devices.append(try await world.registered(courier))
                world.clock.advance(bySeconds: 1)
            }
            try await world.modify("public", [create("a")], as: alice)
            func known() -> [Bool] {
                let pushes = world.service.pushHub
                return devices.map { device in
                    pushes.state.withLock { $0.devices.slot(of: device) != nil }
                }
            }
            #expect(known() == [true, true, true])
            _ = try await world.courier(of: bob, on: "one more")
            #expect(known() == [false, true, true])
            try await world.service.people.delete(named: "bob")
            #expect(known() == [false, false, true])
            try await world.service.containers.delete("iCloud.test")
            #expect(known() == [false, false, false])
        }
    }

    @Test("A badge is a number from 0 to the limit")
    func badges() async throws {
        try await serving({ $0.limits.badge = 9 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            for (badge, status) in [(Int64.max, 400), (10, 400), (-1, 400), (9, 200)] {
                let reply = try await world.device(
                    "notifications/badge", ["badge": .integer(badge)], as: bob)
                #expect(reply.status == status, "\(badge)")
            }
            try await world.modify("public", [create("p")], as: alice)
            let counted = subscription("all").with(["notificationInfo": ["shouldBadge": true]])
            try await world.subscribe("public", [counted], as: bob)
            let courier = try await world.courier(of: bob, on: "phone")
            try await world.modify("public", [create("a")], as: alice)
            #expect(try await world.send("GET", courier).json["aps"]["badge"] == 9)
        }
    }

    @Test("Deleting a person deletes the person's subscriptions and devices", arguments: Transport.allCases)
    func deleted(transport: Transport) async throws {
        try await withServer(transport) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            let courier = try await world.courier(of: bob, on: "phone")
            try await world.modify("public", [create("a")], as: alice)
            #expect(try await world.trace().count == 2)
            try await world.service.people.delete(named: "bob")
            #expect(try await world.trace().dropFirst(2) == ["all phone dropped: its session has ended"])
            try await world.modify("public", [create("b")], as: alice)
            #expect(try await world.trace().count == 3)
            #expect(try await world.send("GET", courier).status == 404)
        }
    }
}
