import CloudletServer
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Records and the borders of zones", .timeLimit(.minutes(2)))
struct ZoneBorderTests {
    private static let inCircus: [String: JSON] = ["zoneID": ["zoneName": "Circus"]]

    @Test("A record cannot move to another zone; a copy there is a record of its own")
    func moves() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Circus", "Tent"]), as: alice)
            let made = try await world.modify(
                "private", [create("n", type: "Note", ["text": text("first")])], zone: "Circus", as: alice)
            let known = try #require(made.json["records"][0]["recordChangeTag"].text)
            for kind in ["update", "forceUpdate", "replace", "forceReplace", "create"] {
                let tag = ["update", "replace"].contains(kind) ? known : nil
                let moved = operation(
                    kind, "n", type: "Note", tag: tag, ["text": text("moved")], Self.inCircus)
                let refused = try await world.modify("private", [moved], zone: "Tent", as: alice)
                #expect(
                    refused.records == ["BAD_REQUEST: the record's zone is not the zone of the request"],
                    "\(kind)")
            }
            let nothing = try await world.lookup("private", "n", zone: "Tent", as: alice)
            #expect(nothing.records == ["NOT_FOUND: Record not found"])
            let copied = try await world.modify(
                "private", [create("n", type: "Note", ["text": text("copy")])], zone: "Tent", as: alice)
            #expect(copied.records == ["ok"])
            for (zone, words) in [("Circus", "first"), ("Tent", "copy")] {
                let found = try await world.lookup("private", "n", zone: zone, as: alice)
                #expect(found.json["records"][0]["fields"] == ["text": text(words)], "\(zone)")
            }
        }
    }

    @Test("A record that repeats the zone of the request is saved; one that names another owner is refused")
    func owners() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let (alice, bob) = (story.alice, story.bob)
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: bob)
            func change(_ name: String, _ owner: String?) -> JSON {
                var zone: [String: JSON] = ["zoneName": "Notes"]
                if let owner { zone["ownerRecordName"] = .string(owner) }
                return operation("forceUpdate", name, type: "Note", [:], ["zoneID": .object(zone)])
            }
            let refused = "BAD_REQUEST: the record's zone is not the zone of the request"
            for owner in [nil, "_defaultOwner", bob.recordName] {
                let saved = try await world.modify(
                    "private", [change("own", owner)], zone: "Notes", as: bob)
                #expect(saved.records == ["ok"], "\(owner ?? "none")")
            }
            let foreign = try await world.call(
                "private/records/modify", batch([change("foreign", alice.recordName)], zone: "Notes"),
                as: bob, headers: ["X-Cloudlet-Details": "1"])
            #expect(foreign.records == [refused])
            #expect(foreign.json["records"][0]["cloudlet"]["culprit"] == "zoneID")
            let nothing = try await world.lookup("private", "foreign", zone: "Notes", as: bob)
            #expect(nothing.records == ["NOT_FOUND: Record not found"])
            for owner in [nil, alice.recordName] {
                let saved = try await story.save([change("note", owner)], as: bob)
                #expect(saved.records == ["ok"], "\(owner ?? "none")")
            }
            let wrong = try await story.save([change("note", bob.recordName)], as: bob)
            #expect(wrong.records == [refused])
        }
    }

    @Test("The public database ignores the owner of a zone that a record repeats")
    func publicOwner() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let zone: JSON = ["zoneName": "_defaultZone", "ownerRecordName": .string(alice.recordName)]
            let saved = try await world.modify(
                "public", [operation("create", "n", type: "Note", [:], ["zoneID": zone])], as: alice)
            #expect(saved.records == ["ok"])
        }
    }

    @Test("A deletion in a feed has no record type, not even an empty one")
    func tombstones() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Circus"]), as: alice)
            try await world.modify("private", [create("stays"), create("goes")], zone: "Circus", as: alice)
            let zone: JSON = ["zoneName": "Circus"]
            let first = try await world.call(
                "private/changes/zone", ["zones": [["zoneID": zone]]], as: alice)
            let token = first.json["zones"][0]["syncToken"]
            try await world.modify("private", [forceDelete("goes")], zone: "Circus", as: alice)
            let news = try await world.call(
                "private/changes/zone", ["zones": [["zoneID": zone, "syncToken": token]]], as: alice)
            let older = try await world.call(
                "private/records/changes", ["zoneID": zone, "syncToken": token], as: alice)
            for records in [news.json["zones"][0]["records"], older.json["records"]] {
                #expect(records.elements.count == 1)
                #expect(records[0]["recordName"] == "goes")
                #expect(records[0]["deleted"] == true)
                #expect(!records[0].keys.contains("recordType"), "\(records[0].keys)")
            }
        }
    }

    @Test("The bytes of a file count against neither the size of its record nor that of the request")
    func assetBytes() async throws {
        try await withServer(.loopback, { $0.limits.requestBytes = 1_500_000 }) { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(
                Array(repeating: 7, count: 3_000_000), record: "p", as: alice)
            #expect(receipt["size"] == 3_000_000)
            let full: JSON = ["body": text(String(repeating: "x", count: 1_000_000))]
            let saved = try await world.modify("public", [world.photo("p", receipt, full)], as: alice)
            #expect(saved.records == ["ok"])
            let found = try await world.lookup("public", "p", as: alice)
            #expect(found.json["records"][0]["fields"]["file"]["value"]["size"] == 3_000_000)
        }
    }
}
