import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Endpoints", .timeLimit(.minutes(30)))
struct EndpointTests {
    @Test("A record is created, looked up, queried, changed and deleted")
    func records() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = ["title": text("Coffee"), "seats": number(4)]
            let created = try await world.modify("public", [create("p1", fields)], as: alice)
            let stamp: JSON = [
                "timestamp": 1_401_710_400_000, "userRecordName": .string(alice.recordName),
                "deviceID": "iCloud",
            ]
            let record: JSON = [
                "recordName": "p1", "recordType": "Party", "fields": fields, "pluginFields": [:],
                "recordChangeTag": created.json["records"][0]["recordChangeTag"], "created": stamp,
                "modified": stamp, "deleted": false,
                "zoneID": [
                    "zoneName": "_defaultZone", "ownerRecordName": "_defaultOwner",
                    "zoneType": "DEFAULT_ZONE",
                ],
            ]
            #expect(created.status == 200)
            #expect(created.json == ["records": [record]])
            #expect(try await world.lookup("public", "p1").json == ["records": [record]])
            let query: JSON = ["query": ["recordType": "Party"]]
            #expect(try await world.call("public/records/query", query).json == ["records": [record]])
            let tag = try #require(record["recordChangeTag"].text)
            let change = operation("update", "p1", tag: tag, ["seats": number(5)])
            let updated = try await world.modify("public", [change], as: alice)
            #expect(updated.json["records"][0]["fields"] == ["title": text("Coffee"), "seats": number(5)])
            #expect(updated.json["records"][0]["recordChangeTag"] != record["recordChangeTag"])
            let deleted = try await world.modify("public", [forceDelete("p1")], as: alice)
            #expect(deleted.json == ["records": [["recordName": "p1", "deleted": true]]])
            let gone = try await world.lookup("public", "p1")
            #expect(gone.records == ["NOT_FOUND: Record not found"])
            #expect(gone.json["records"][0]["recordName"] == "p1")
        }
    }

    @Test("Zones are created, listed by GET and POST, looked up and deleted")
    func zones() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let made = try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice
            )
            let zoneID: JSON = [
                "zoneName": "Notes", "ownerRecordName": .string(alice.recordName),
                "zoneType": "REGULAR_CUSTOM_ZONE",
            ]
            let notes = made.json["zones"][0]
            #expect(notes["zoneID"] == zoneID)
            #expect(notes["atomic"] == true)
            #expect(Data(base64Encoded: notes["syncToken"].text ?? "") != nil)
            let listed = try await world.call("private/zones/list", as: alice)
            #expect(listed.json == (try await world.get("private/zones/list", as: alice)).json)
            #expect(
                listed.json["zones"].elements.map { $0["zoneID"]["zoneName"] } == ["_defaultZone", "Notes"])
            #expect(listed.json["zones"][0]["atomic"] == false)
            #expect(listed.json["zones"][1] == notes)
            let lookup: JSON = ["zones": [["zoneName": "Notes"], ["zoneName": "Absent"]]]
            let found = try await world.call("private/zones/lookup", lookup, as: alice)
            #expect(found.json["zones"][0] == notes)
            #expect(found.items("zones") == ["ok", "ZONE_NOT_FOUND: Zone not found"])
            let again = try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice
            )
            #expect(again.json["zones"][0] == notes)
            let gone = try await world.call(
                "private/zones/modify", ServerKit.zones(delete: ["Notes", "Absent", "_defaultZone"]),
                as: alice
            )
            #expect(gone.json["zones"][0] == ["zoneID": zoneID, "deleted": true])
            #expect(gone.items("zones")[1] == "ZONE_NOT_FOUND: Zone not found")
            #expect(gone.items("zones")[2] == "BAD_REQUEST: the default zone cannot be deleted")
        }
    }

    @Test("The public database has its default zone and no other")
    func publicZones() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let listed = try await world.get("public/zones/list")
            #expect(listed.json["zones"].elements.map { $0["zoneID"]["zoneName"] } == ["_defaultZone"])
            let made = try await world.call(
                "public/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice
            )
            #expect(made.status == 400)
            let lookup = try await world.lookup("public", "a", zone: "Notes")
            #expect(lookup.failure == "404 ZONE_NOT_FOUND: Zone not found")
        }
    }

    @Test("The shared database of a person without shares is empty")
    func shared() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            #expect(try await world.get("shared/zones/list", as: alice).json == ["zones": []])
            let lookup: JSON = ["zones": [["zoneName": "Trip", "ownerRecordName": "_0f"]]]
            let found = try await world.call("shared/zones/lookup", lookup, as: alice)
            #expect(found.items("zones") == ["ZONE_NOT_FOUND: Zone not found"])
            let records = try await world.lookup("shared", "a", zone: "Trip", as: alice)
            #expect(records.failure == "404 ZONE_NOT_FOUND: Zone not found")
        }
    }

    @Test("A person's record name in a container never changes, and no other person has it")
    func users() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let again = try await world.signIn("alice")
            #expect(alice.token != again.token)
            #expect(alice.recordName == again.recordName)
            #expect(alice.recordName.wholeMatch(of: /_[0-9a-f]{32}/) != nil)
            let caller = try await world.get("public/users/caller", as: alice)
            #expect(caller.json["userRecordName"] == .string(alice.recordName))
            let current = try await world.get("public/users/current", as: again)
            #expect(current.json["userRecordName"] == .string(alice.recordName))
            #expect(try await world.signIn("alice", container: "iCloud.other").recordName != alice.recordName)
            #expect(try await world.signIn("bob").recordName != alice.recordName)
        }
    }

    @Test("changes/zone and records/changes return the same changes of a zone")
    func changes() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", ServerKit.zones(create: ["Notes"]), as: alice)
            let saves = batch([create("n1"), create("n2")], zone: "Notes")
            _ = try await world.call("private/records/modify", saves, as: alice)
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]]]
            let first = try await world.call("private/changes/zone", feed, as: alice).json["zones"][0]
            #expect(first["records"].texts("recordName") == ["n1", "n2"])
            #expect(first["moreComing"] == false)
            let older = try await world.call(
                "private/records/changes", ["zoneID": ["zoneName": "Notes"]], as: alice
            )
            #expect(older.json["records"] == first["records"])
            #expect(older.json["syncToken"] == first["syncToken"])
            _ = try await world.modify("private", [forceDelete("n1")], zone: "Notes", as: alice)
            let since: JSON = ["zoneID": ["zoneName": "Notes"], "syncToken": first["syncToken"]]
            let news = try await world.call("private/changes/zone", ["zones": [since]], as: alice)
            let tombstone = news.json["zones"][0]["records"]
            #expect(tombstone.texts("recordName") == ["n1"])
            #expect(tombstone[0]["deleted"] == true)
            #expect(tombstone[0].keys == ["deleted", "recordChangeTag", "recordName", "zoneID"])
        }
    }

    @Test("Unknown paths and methods are answered with an error of the protocol")
    func unknown() async throws {
        try await serving { world in
            let calls: [(String, String, Int, String)] = [
                ("GET", "/", 404, "NOT_FOUND"),
                ("GET", "/favicon.ico", 404, "NOT_FOUND"),
                ("POST", "/database/1/iCloud.test/development/public/records/invent", 404, "NOT_FOUND"),
                ("POST", "/database/2/iCloud.test/development/public/records/query", 404, "NOT_FOUND"),
                ("POST", "/database/1/iCloud.test/staging/public/records/query", 400, "BAD_REQUEST"),
                ("POST", "/database/1/iCloud.test/development/hidden/records/query", 400, "BAD_REQUEST"),
                ("POST", "/database/1/iCloud.test/development/public/changes/zone", 400, "BAD_REQUEST"),
                ("GET", "/database/1/iCloud.test/development/public/records/query", 400, "BAD_REQUEST"),
                ("PUT", "/database/1/iCloud.test/development/public/records/query", 404, "NOT_FOUND"),
                ("DELETE", "/anything", 404, "NOT_FOUND"),
            ]
            for (method, target, status, code) in calls {
                let reply = try await world.send(method, target)
                #expect(reply.status == status, "\(method) \(target)")
                #expect(reply.json["serverErrorCode"] == .string(code), "\(method) \(target)")
                #expect(UUID(uuidString: reply.json["uuid"].text ?? "") != nil, "\(method) \(target)")
                #expect(reply.headers["Content-Type"] == "application/json; charset=UTF-8")
            }
        }
    }
}
