import CloudletServer
import CloudletTesting
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Changes of zones", .timeLimit(.minutes(30)))
struct ZoneFeedTests {
    private static func zones(_ reply: Reply) -> [String] {
        reply.json["zones"].elements.map { zone in
            (zone["deleted"] == true ? "-" : "") + (zone["zoneID"]["zoneName"].text ?? "?")
        }
    }

    @Test("Changed and deleted zones are listed once, each with a token of its own feed")
    func follow() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["A", "B", "C"]), as: alice
            )
            let first = try await world.call("private/changes/database", as: alice)
            #expect(Self.zones(first) == ["A", "B", "C"])
            #expect(first.json["moreComing"] == false)
            let token = first.json["syncToken"]
            let none = try await world.call("private/changes/database", ["syncToken": token], as: alice)
            #expect(none.json["zones"] == [])
            try await world.modify("private", [create("n")], zone: "B", as: alice)
            try await world.call("private/zones/modify", ServerKit.zones(delete: ["A"]), as: alice)
            let news = try await world.call("private/changes/database", ["syncToken": token], as: alice)
            #expect(Self.zones(news) == ["B", "-A"])
            let zone = news.json["zones"][0]
            let list = try await world.get("private/zones/list", as: alice)
            #expect(zone["syncToken"] == list.json["zones"][1]["syncToken"])
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "B"], "syncToken": zone["syncToken"]]]]
            let records = try await world.call("private/changes/zone", feed, as: alice)
            #expect(records.json["zones"][0]["records"] == [])
        }
    }

    @Test("The older endpoint uses its own name for the token, and ignores the newer name")
    func older() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", ServerKit.zones(create: ["A"]), as: alice)
            let first = try await world.call("private/zones/changes", as: alice)
            #expect(Self.zones(first) == ["A"])
            #expect(first.json.keys == ["metaSyncToken", "moreComing", "zones"])
            let token = first.json["metaSyncToken"]
            let none = try await world.call("private/zones/changes", ["metaSyncToken": token], as: alice)
            #expect(none.json["zones"] == [])
            let ignored = try await world.call("private/zones/changes", ["syncToken": token], as: alice)
            #expect(Self.zones(ignored) == ["A"])
        }
    }

    @Test("Pages of zones follow one another")
    func pages() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let names = ["A", "B", "C", "D", "E"]
            try await world.call("private/zones/modify", ServerKit.zones(create: names), as: alice)
            var (seen, token, more): ([String], JSON, Bool) = ([], nil, true)
            while more {
                let body: JSON = ["syncToken": token, "resultsLimit": 2]
                let page = try await world.call("private/changes/database", body, as: alice)
                seen += Self.zones(page)
                (token, more) = (page.json["syncToken"], page.json["moreComing"] == true)
            }
            #expect(seen == names)
        }
    }

    @Test("Tokens of other feeds are refused; a shared database without shares has no changes")
    func refused() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", ServerKit.zones(create: ["A"]), as: alice)
            let zone = try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"]
            let wrong = try await world.call("private/changes/database", ["syncToken": zone], as: alice)
            #expect(wrong.failure == "400 BAD_REQUEST: Unknown sync continuation type")
            let whole = try await world.call("private/changes/database", as: alice).json["syncToken"]
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "A"], "syncToken": whole]]]
            let other = try await world.call("private/changes/zone", feed, as: alice)
            #expect(other.items("zones") == ["BAD_REQUEST: Unknown sync continuation type"])
            let shared = try await world.call("shared/changes/database", as: alice)
            #expect(shared.json["zones"] == [])
            let again: JSON = ["syncToken": shared.json["syncToken"]]
            #expect(try await world.call("shared/changes/database", again, as: alice).status == 200)
            #expect(try await world.call("private/changes/database").status == 421)
        }
    }

    @Test("Deletions are listed for their lifetime; a token from before a forgotten deletion is expired")
    func lifetime() async throws {
        try await serving({ $0.limits.deletionSeconds = 7 * 86_400 }) { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", ServerKit.zones(create: ["A", "B"]), as: alice)
            try await world.modify("private", [create("n")], zone: "A", as: alice)
            let old = try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"]
            let whole = try await world.call("private/changes/database", as: alice).json["syncToken"]
            try await world.modify("private", [forceDelete("n")], zone: "A", as: alice)
            try await world.call("private/zones/modify", ServerKit.zones(delete: ["B"]), as: alice)
            func failures() async throws -> [String] {
                let feed: JSON = ["zones": [["zoneID": ["zoneName": "A"], "syncToken": old]]]
                let zone = try await world.call("private/changes/zone", feed, as: alice)
                let all = try await world.call(
                    "private/changes/database", ["syncToken": whole], as: alice,
                    headers: ["X-Cloudlet-Details": "1"]
                )
                return zone.items("zones") + [all.json["cloudlet"]["code"].text ?? "ok"]
            }
            world.clock.advance(bySeconds: 6 * 86_400)
            #expect(try await failures() == ["ok", "ok"])
            world.clock.advance(bySeconds: 2 * 86_400)
            let words = "BAD_REQUEST: client knowledge differs from server knowledge"
            #expect(try await failures() == [words, "changeTokenExpired"])
            let fresh: JSON = ["zones": [["zoneID": ["zoneName": "A"]]]]
            #expect(try await world.call("private/changes/zone", fresh, as: alice).items("zones") == ["ok"])
        }
    }
}
