import CloudletServer
import CloudletTesting
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Notification collection", .timeLimit(.minutes(30)))
struct CollectionTests {
    @Test(
        "The collection is fetched by token, from both databases in the order of the changes",
        arguments: Transport.allCases)
    func fetched(transport: Transport) async throws {
        try await DeliveryTests.withAudience(transport, on: []) { world, alice, bob, _ in
            try await world.call("private/zones/modify", ServerKit.zones(create: ["Z"]), as: bob)
            try await world.subscribe("private", [zoneSubscription("z", "Z")], as: bob)
            for (index, name) in ["a", "b", "c"].enumerated() {
                world.clock.advance(bySeconds: 1)
                if index == 1 {
                    try await world.modify("private", [create(name)], zone: "Z", as: bob)
                } else {
                    try await world.modify("public", [create(name)], as: alice)
                }
            }
            let first = try await world.device("notifications/changes", ["resultsLimit": 2], as: bob)
            #expect(first.json["moreComing"] == true)
            #expect(Self.told(first) == ["all a", "z Z"])
            let token = first.json["syncToken"]
            let second = try await world.device("notifications/changes", ["syncToken": token], as: bob)
            #expect(Self.told(second) == ["all c"])
            #expect(second.json["moreComing"] == false)
            let third = try await world.device(
                "notifications/changes", ["syncToken": second.json["syncToken"]], as: bob)
            #expect(Self.told(third) == [])
            #expect(Self.told(try await world.device("notifications/changes", as: alice)) == [])
            let wrong = try await world.device("notifications/changes", ["syncToken": "AAAA"], as: bob)
            #expect(wrong.status == 400)
            let nobody = try await world.device("notifications/changes")
            #expect(nobody.status == 421)
        }
    }

    @Test(
        "Marking a notification as read notifies the other devices and lowers the badge by one",
        arguments: Transport.allCases)
    func reading(transport: Transport) async throws {
        try await DeliveryTests.withAudience(transport, on: ["phone", "pad"], info: ["shouldBadge": true]) {
            world, alice, bob, couriers in
            for (name, badge) in [("a", Int64(1)), ("b", 2)] {
                try await world.modify("public", [create(name)], as: alice)
                for courier in couriers {
                    let push = try await world.send("GET", courier)
                    #expect(push.json["aps"]["badge"] == .integer(badge))
                }
            }
            let all = try await world.device("notifications/changes", as: bob)
            let id = all.json["notifications"][0]["ck"]["nid"]
            let read = try await world.device(
                "notifications/read", ["notificationIDs": [id, "none"]], as: bob,
                parameters: "clientId=phone")
            #expect(read.json == ["notificationIDs": [id]])
            let told = try await world.send("GET", couriers[1])
            #expect(told.json["ck"]["read"] == 1)
            #expect(told.json["ck"]["nid"] == id)
            #expect(told.json["aps"]["badge"] == 1)
            let rest = try await world.device("notifications/changes", as: bob)
            #expect(Self.told(rest) == ["all b", "read"])
            _ = try await world.device("notifications/badge", ["badge": 7], as: bob)
            try await world.modify("public", [create("c")], as: alice)
            let push = try await world.send("GET", couriers[0])
            #expect(push.json["ck"]["qry"]["rid"] == "c")
            #expect(push.json["aps"]["badge"] == 8)
        }
    }

    private static func told(_ reply: Reply) -> [String] {
        reply.json["notifications"].elements.map { push in
            let ck = push["ck"]
            if ck["read"] != .null { return "read" }
            let part = ck["qry"] == .null ? ck["fet"] : ck["qry"]
            return "\(part["sid"].text ?? "?") \(part["rid"].text ?? part["zid"].text ?? "?")"
        }
    }
}
