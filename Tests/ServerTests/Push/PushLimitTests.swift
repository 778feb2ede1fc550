// Owns the proof that what concerns pushes has limits that are kept, published, and can be lowered.

import CloudService
import CloudletServer
import RecordsWire
import Testing

@Suite("Limits of pushes", .timeLimit(.minutes(2)))
struct PushLimitTests {
    @Test("They are published under their names", arguments: Way.allCases)
    func published(way: Way) async throws {
        try await serving(way, { $0.limits.pushes.notificationsPerPerson = 30 }) { world in
            let limits = try await world.send("GET", "/limits").json
            #expect(limits["notificationsPerPerson"] == 30)
            #expect(limits["subscriptions"] == 200)
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

    @Test("A person has so many subscriptions, and so many in one request", arguments: Way.allCases)
    func subscriptions(way: Way) async throws {
        try await serving(way, { $0.limits.pushes.subscriptions = 2 }) { world in
            let alice = try await world.signIn("alice")
            try await world.call("public/records/modify", batch([create("p")]), as: alice)
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

    @Test("Of one device more than the limit the oldest is forgotten", arguments: Way.allCases)
    func devices(way: Way) async throws {
        try await serving(way, { $0.limits.pushes.devicesPerPerson = 2 }) { world in
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

    @Test("Of one notification more than the limit the oldest tenth is forgotten", arguments: Way.allCases)
    func notifications(way: Way) async throws {
        try await serving(way, { $0.limits.pushes.notificationsPerPerson = 20 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.call("public/records/modify", batch([create("p")]), as: alice)
            try await world.subscribe("public", [subscription("all", on: ["create"])], as: bob)
            func collected() async throws -> [String?] {
                try await world.device("notifications/changes", as: bob).json["notifications"].elements
                    .map { $0["ck"]["qry"]["rid"].text }
            }
            let names = (1...20).map { "r\($0)" }
            try await world.call("public/records/modify", batch(names.map { create($0) }), as: alice)
            #expect(try await collected() == names)
            try await world.call("public/records/modify", batch([create("more")]), as: alice)
            #expect(try await collected() == Array(names[3...]) + ["more"])
        }
    }

    @Test("A badge is a number from 0 to the limit", arguments: Way.allCases)
    func badges(way: Way) async throws {
        try await serving(way, { $0.limits.costs.badge = 9 }) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            for (badge, status) in [(Int64.max, 400), (10, 400), (-1, 400), (9, 200)] {
                let reply = try await world.device(
                    "notifications/badge", ["badge": .integer(badge)], as: bob)
                #expect(reply.status == status, "\(badge)")
            }
            try await world.call("public/records/modify", batch([create("p")]), as: alice)
            let counted = subscription("all").with(["notificationInfo": ["shouldBadge": true]])
            try await world.subscribe("public", [counted], as: bob)
            let courier = try await world.courier(of: bob, on: "phone")
            try await world.call("public/records/modify", batch([create("a")]), as: alice)
            #expect(try await world.send("GET", courier).json["aps"]["badge"] == 9)
        }
    }

    @Test("With a person go the subscriptions and devices", arguments: Way.allCases)
    func deleted(way: Way) async throws {
        try await played(way) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.call("public/records/modify", batch([create("p")]), as: alice)
            try await world.subscribe("public", [subscription("all")], as: bob)
            let courier = try await world.courier(of: bob, on: "phone")
            try await world.call("public/records/modify", batch([create("a")]), as: alice)
            #expect(try await world.trace().count == 2)
            try await world.service.deletePerson(named: "bob")
            try await world.call("public/records/modify", batch([create("b")]), as: alice)
            #expect(try await world.trace().count == 2)
            #expect(try await world.send("GET", courier).status == 404)
        }
    }
}
