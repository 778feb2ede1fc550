import CloudService
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

    @Test("A page of many bytes is encoded on a thread of its own, and counts as an answer being sent")
    func large() async throws {
        let gate = GatedExecutor()
        gate.open()
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.bodyThreads = gate.threads
            $0.limits.sendingBytes = 1_000_000
        }
        try await withServer(.socket, configure) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            try await world.modify("public", [create("p")], as: alice)
            let info: JSON = ["alertBody": .string(String(repeating: "x", count: 3000))]
            try await world.subscribe(
                "public", [subscription("all").with(["notificationInfo": info])], as: bob)
            try await world.modify("public", (0..<30).map { create("r\($0)") }, as: alice)
            let before = gate.count
            let page = try await world.device("notifications/changes", as: bob)
            #expect(page.json["notifications"].elements.count == 30)
            #expect(gate.count > before)
            let sending = world.service.traffic.sending
            try await until { sending.bytes == 0 }
            let held = try sending.lease(900_000, for: [])
            let refused = try await world.device("notifications/changes", as: bob)
            #expect(refused.failure == "503 TRY_AGAIN_LATER: the server is sending as much as it can")
            withExtendedLifetime(held) {}
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
