import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Subscriptions", .timeLimit(.minutes(30)))
struct SubscriptionEndpointTests {
    @Test("Subscriptions are saved, listed, looked up in two spellings, and deleted")
    func life() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("p", ["n": number(1)])], as: alice)
            let big = subscription("big", where: filter("n", "GREATER_THAN", number(5)))
            let saved = try await world.subscribe("public", [big, ["subscriptionType": "query"]], as: alice)
            #expect(saved.status == 400)
            let made = try await world.subscribe(
                "public", [big, subscription(nil, on: ["delete"])], as: alice)
            #expect(made.items("subscriptions") == ["ok", "ok"])
            let chosen = try #require(made.json["subscriptions"][1]["subscriptionID"].text)
            let list = try await world.get("public/subscriptions/list", as: alice)
            #expect(list.json == made.json)
            #expect(try await world.call("public/subscriptions/list", as: alice).json == made.json)
            let found = try await world.call(
                "public/subscriptions/lookup",
                ["subscriptions": ["big", ["subscriptionID": "none"], ["subscriptionID": .string(chosen)]]],
                as: alice)
            #expect(found.items("subscriptions") == ["ok", "NOT_FOUND: Subscription not found", "ok"])
            #expect(found.json["subscriptions"][0]["zoneWide"] == true)
            let gone = try await world.unsubscribe("public", ["big", "none"], as: alice)
            #expect(gone.json["subscriptions"][0] == ["subscriptionID": "big", "deleted": true])
            #expect(gone.items("subscriptions")[1] == "NOT_FOUND: Subscription not found")
            let bob = try await world.signIn("bob")
            #expect(try await world.get("public/subscriptions/list", as: bob).json == ["subscriptions": []])
            let nobody = try await world.get("public/subscriptions/list")
            #expect(nobody.status == 421)
        }
    }

    @Test("A second query subscription with the same type, events and condition is refused, as by CloudKit")
    func unique() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("p", ["n": number(1)])], as: alice)
            let reply = try await world.subscribe(
                "public", [subscription("a"), subscription("b"), subscription("a", on: ["delete"])], as: alice
            )
            #expect(reply.items("subscriptions") == ["ok", Self.twin, "ok"])
            #expect(reply.json["subscriptions"][2]["firesOn"] == ["create", "update"])
        }
    }

    private static let twin = "INTERNAL_ERROR: could not find subscription we just created"

    @Test("Subscriptions to different thresholds of one type coexist, up to the limit")
    func thresholds() async throws {
        try await withServer(.loopback, { $0.limits.subscriptions = 3 }) { world in
            let alice = try await world.signIn("alice")
            try await world.modify("private", [create("p", ["n": number(1)])], as: alice)
            func above(_ id: String, _ bound: Int64) -> JSON {
                subscription(id, where: filter("n", "GREATER_THAN", number(bound)))
            }
            let reply = try await world.subscribe(
                "private", [above("a", 100), above("b", 500), above("c", 500)], as: alice)
            #expect(reply.items("subscriptions") == ["ok", "ok", Self.twin])
            let more = try await world.subscribe("private", [above("c", 1), above("d", 2)], as: alice)
            #expect(more.items("subscriptions")[0] == "ok")
            #expect(more.json["subscriptions"][1]["serverErrorCode"] == "BAD_REQUEST")
            try await world.modify(
                "private", [create("small", ["n": number(101)]), create("large", ["n": number(501)])],
                as: alice)
            let told = try await world.trace().map { $0.prefix(2) }
            #expect(told.sorted() == ["a ", "a ", "b ", "c ", "c "])
        }
    }

    /// Invalid subscriptions: the database, the subscription, and the expected error.
    private static var nonsense: [(String, JSON, String)] {
        let mixed: JSON = ["shouldSendContentAvailable": true, "shouldBadge": true]
        let many: JSON = ["additionalFields": ["a", "b", "c", "d"]]
        return [
            ("public", subscription("x", type: "None"), "NOT_FOUND: Did not find record type: None"),
            (
                "public", subscription("x", where: filter("m", "EQUALS", number(1))),
                "BAD_REQUEST: Did not find field: 'm' in type: 'Party'"
            ),
            (
                "public", subscription("x", on: []),
                "BAD_REQUEST: a query subscription needs at least one event to fire on"
            ),
            (
                "public", ["subscriptionID": "x", "subscriptionType": "database"],
                "BAD_REQUEST: the public database has query subscriptions only"
            ),
            (
                "private", zoneSubscription("x", "_defaultZone"),
                "BAD_REQUEST: the default zone has no feed of changes to subscribe to"
            ),
            ("private", zoneSubscription("x", "None"), "ZONE_NOT_FOUND: Zone not found"),
            (
                "public", subscription("x").with(["notificationInfo": mixed]),
                "BAD_REQUEST: shouldSendContentAvailable together with an alert, a sound or a badge is "
                    + "not a supported configuration"
            ),
            (
                "public", subscription("x").with(["notificationInfo": many]),
                "BAD_REQUEST: more than 3 additional fields"
            ),
            (
                "public", subscription(String(repeating: "x", count: 256)),
                "BAD_REQUEST: subscriptionID must be at most 255 printable ASCII characters"
            ),
            (
                "private", zoneSubscription("a\0b", "_defaultZone"),
                "BAD_REQUEST: subscriptionID must be at most 255 printable ASCII characters"
            ),
        ]
    }

    @Test("Invalid subscriptions are refused with the culprit and the next step")
    func refused() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.modify("public", [create("p", ["n": number(1)])], as: alice)
            for (database, subscription, expected) in Self.nonsense {
                let reply = try await world.subscribe(database, [subscription], as: alice, details: true)
                #expect(reply.items("subscriptions") == [expected])
                let details = reply.json["subscriptions"][0]["cloudlet"]
                #expect(details["nextStep"].text?.isEmpty == false)
                #expect(details["culprit"].text?.isEmpty == false)
            }
            let mixedSilently = subscription("x").with([
                "notificationInfo": ["shouldSendContentAvailable": true]
            ])
            let silent = try await world.subscribe("public", [mixedSilently], as: alice)
            #expect(silent.items("subscriptions") == ["ok"])
        }
    }
}
