import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Changes", .timeLimit(.minutes(30)))
struct ChangesTests {
    private static func feed(_ zone: String, since token: JSON = nil, _ more: [String: JSON] = [:]) -> JSON {
        let one: JSON = ["zoneID": ["zoneName": .string(zone)], "syncToken": token]
        return ["zones": [one.with(more)]]
    }

    private static func started(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        _ = try await world.call("private/zones/modify", zones(create: ["Notes", "Other"]), as: alice)
        let saves = (1...5).map { create("n\($0)", ["n": number(Int64($0)), "t": text("x")]) }
        _ = try await world.modify("private", saves, zone: "Notes", as: alice)
        return alice
    }

    @Test("Pages continue until `moreComing` is false; the same token returns the same page")
    func pages() async throws {
        try await serving { world in
            let alice = try await Self.started(world)
            var token: JSON = nil
            var seen: [String?] = []
            var more = true
            while more {
                let body = Self.feed("Notes", since: token, ["resultsLimit": 2])
                let page = try await world.call("private/changes/zone", body, as: alice)
                #expect(try await world.call("private/changes/zone", body, as: alice).bytes == page.bytes)
                let zone = page.json["zones"][0]
                seen += zone["records"].texts("recordName")
                token = zone["syncToken"]
                more = zone["moreComing"] == true
            }
            #expect(seen == ["n1", "n2", "n3", "n4", "n5"])
            let caughtUp = try await world.call(
                "private/changes/zone", Self.feed("Notes", since: token), as: alice)
            #expect(caughtUp.json["zones"][0]["records"] == [])
            #expect(caughtUp.json["zones"][0]["moreComing"] == false)
        }
    }

    @Test("Requests may ask for the newest first, for some fields or types, and for numbers as strings")
    func wishes() async throws {
        try await serving { world in
            let alice = try await Self.started(world)
            let reversed = try await world.call(
                "private/changes/zone", Self.feed("Notes", ["reverse": true, "resultsLimit": 2]), as: alice
            )
            #expect(reversed.json["zones"][0]["records"].texts("recordName") == ["n5", "n4"])
            let fields = try await world.call(
                "private/changes/zone",
                Self.feed("Notes", ["desiredKeys": ["n"], "numberAsStrings": true, "resultsLimit": 1]),
                as: alice
            )
            #expect(
                fields.json["zones"][0]["records"][0]["fields"] == ["n": ["value": "1", "type": "INT64"]]
            )
            let defaults = Self.feed("Notes").with(["resultsLimit": 3, "desiredKeys": []])
            let shared = try await world.call("private/changes/zone", defaults, as: alice).json["zones"][0]
            #expect(shared["records"].elements.count == 3)
            #expect(shared["records"][0]["fields"] == [:])
            let types = try await world.call(
                "private/changes/zone", Self.feed("Notes", ["desiredRecordTypes": ["Clown"]]), as: alice
            )
            #expect(types.json["zones"][0]["records"] == [])
        }
    }

    @Test("Each zone of a request has its own page or its own error")
    func several() async throws {
        try await serving { world in
            let alice = try await Self.started(world)
            let zones: JSON = [
                ["zoneID": ["zoneName": "Notes"]], ["zoneID": ["zoneName": "Absent"]],
                ["zoneID": ["zoneName": "_defaultZone"]], ["zoneID": ["zoneName": "Other"]],
            ]
            let reply = try await world.call("private/changes/zone", ["zones": zones], as: alice)
            #expect(reply.status == 200)
            #expect(
                reply.items("zones") == [
                    "ok", "ZONE_NOT_FOUND: Zone not found", "BAD_REQUEST: cannot get changes in default zone",
                    "ok",
                ]
            )
            #expect(reply.json["zones"][1]["zoneID"]["zoneName"] == "Absent")
            let older = try await world.call(
                "private/records/changes", ["zoneID": ["zoneName": "_defaultZone"]], as: alice
            )
            #expect(older.failure == "400 BAD_REQUEST: cannot get changes in default zone")
        }
    }

    @Test("A zone that is named several times is answered once, by the first entry")
    func repeated() async throws {
        try await serving { world in
            let alice = try await Self.started(world)
            let names = ["Notes", "Other", "Notes", "Absent", "Absent"]
            let zones = names.enumerated().map { place, name -> JSON in
                ["zoneID": ["zoneName": .string(name)], "resultsLimit": .integer(Int64(place + 2))]
            }
            let reply = try await world.call("private/changes/zone", ["zones": .array(zones)], as: alice)
            #expect(reply.items("zones") == ["ok", "ok", "ZONE_NOT_FOUND: Zone not found"])
            #expect(reply.json["zones"][0]["records"].texts("recordName") == ["n1", "n2"])
        }
    }

    @Test("A token of another feed or zone fails only its zone, in CloudKit's words")
    func badTokens() async throws {
        try await serving { world in
            let alice = try await Self.started(world)
            let list = try await world.get("private/zones/list", as: alice)
            let zones = list.json["zones"].elements
            let token = try #require(zones.first { $0["zoneID"]["zoneName"] == "Notes" }?["syncToken"].text)
            let bytes = try #require(Data(base64Encoded: token))
            let cut = JSON.string(bytes.prefix(12).base64EncodedString())
            func failure(_ zone: String, _ token: JSON) async throws -> String {
                let body = Self.feed(zone, since: token)
                return try await world.call("private/changes/zone", body, as: alice).items("zones")[0]
            }
            #expect(try await failure("Notes", .string(token)) == "ok")
            #expect(try await failure("Notes", cut) == "BAD_REQUEST: Invalid continuation format")
            let garbage = JSON.string(Data("garbage".utf8).base64EncodedString())
            #expect(try await failure("Notes", garbage) == "BAD_REQUEST: Unknown sync continuation type")
            #expect(try await failure("Notes", "%%%") == "BAD_REQUEST: Unknown sync continuation type")
            #expect(try await failure("Other", .string(token)).hasPrefix("BAD_REQUEST: "))
            _ = try await world.call("private/zones/modify", ServerKit.zones(delete: ["Notes"]), as: alice)
            #expect(try await failure("Notes", .string(token)) == "ZONE_NOT_FOUND: Zone not found")
            _ = try await world.call("private/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice)
            #expect(try await failure("Notes", .string(token)).hasPrefix("BAD_REQUEST: "))
        }
    }
}
