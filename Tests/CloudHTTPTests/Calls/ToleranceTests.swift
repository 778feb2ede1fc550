import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Tolerance towards clients", .timeLimit(.minutes(30)))
struct ToleranceTests {
    private static let query: JSON = ["query": ["recordType": "Party"]]

    @Test("A body is read as JSON, regardless of its content type")
    func contentTypes() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p1")], as: alice)
            let types = [
                nil, "text/plain", "application/json; charset=utf-8", "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x", "", "nonsense",
            ]
            for type in types {
                let headers: CloudHeaders = type.map { ["Content-Type": $0] } ?? [:]
                let reply = try await world.call("public/records/query", Self.query, headers: headers)
                #expect(reply.json["records"].texts("recordName") == ["p1"], "\(type ?? "none")")
            }
        }
    }

    @Test("Additional slashes in a path are ignored")
    func slashes() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let list = ServerWorld.target("private/zones/list", as: alice)
            let expected = try await world.send("GET", list)
            #expect(expected.status == 200)
            #expect(try await world.send("GET", "/" + list).bytes == expected.bytes)
            let doubled = list.replacing("/private/", with: "//private//")
            #expect(try await world.send("GET", doubled).bytes == expected.bytes)
        }
    }

    @Test("An empty body counts as an empty object, and white space around a body is ignored")
    func emptyBodies() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let list = ServerWorld.target("private/zones/list", as: alice)
            let expected = try await world.send("POST", list, body: Array("{}".utf8))
            #expect(expected.status == 200)
            for body in ["", " {} \n", "\n{\t}\r\n"] {
                #expect(try await world.send("POST", list, body: Array(body.utf8)).bytes == expected.bytes)
            }
            #expect(try await world.send("GET", list).bytes == expected.bytes)
            let query = try await world.send("POST", ServerWorld.target("public/records/query"))
            #expect(query.status == 400)
            #expect(query.json["serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test("Unknown keys, nulls and echoed system fields are ignored")
    func unknownKeys() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let stranger: JSON = ["timestamp": 1, "userRecordName": "_eve", "deviceID": "x"]
            let record: JSON = [
                "recordName": "p1", "recordType": "Party", "fields": ["title": text("Tea"), "gone": nil],
                "recordChangeTag": nil, "created": stranger, "modified": stranger, "deleted": false,
                "pluginFields": [:], "share": nil, "invented": [1, [2, ["a": nil]]],
            ]
            let body: JSON = [
                "operations": [
                    ["operationType": "create", "recordType": "Other", "record": record, "extra": [:]]
                ],
                "zoneID": nil, "atomic": nil, "desiredKeys": nil, "numbersAsStrings": nil, "invented": true,
            ]
            let parameters = "remapEnums=True&clientBuildNumber=17&dsid=&empty&=x"
            let saved = try await world.call(
                "public/records/modify", body, as: alice, parameters: parameters
            )
            #expect(saved.records == ["ok"])
            #expect(saved.json["records"][0]["recordType"] == "Party")
            #expect(saved.json["records"][0]["created"]["userRecordName"] == .string(alice.recordName))
            let lookup = try await world.call(
                "public/records/lookup",
                ["records": [["recordName": "p1", "desiredKeys": nil]], "assetPrivacyMaskType": "x"]
            )
            #expect(lookup.json["records"][0]["fields"] == ["title": text("Tea")])
        }
    }

    @Test("Every known form of a cleared field clears it")
    func clearing() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = [
                "a": text("1"), "b": text("2"), "c": ["value": 5, "type": "TIMESTAMP"], "d": text("4"),
                "kept": text("5"),
            ]
            let made = try await world.modify("public", [create("p", fields)], as: alice)
            let tag = try #require(made.json["records"][0]["recordChangeTag"].text)
            let cleared: JSON = [
                "a": ["value": nil], "b": [:], "c": ["value": nil, "type": "TIMESTAMP"], "d": nil,
            ]
            let update = batch([operation("update", "p", tag: tag, cleared)])
            let after = try await world.call("public/records/modify", update, as: alice)
            #expect(after.json["records"][0]["fields"] == ["kept": text("5")])
        }
    }

    @Test("Booleans in the query string may be written True")
    func booleans() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let body: JSON = ["records": [], "zoneID": ["zoneName": "Notes"]]
            for (value, isThere) in [("true", true), ("True", true), ("false", false), ("", false)] {
                let reply = try await world.call(
                    "private/records/lookup", body, as: alice, parameters: "getCurrentSyncToken=\(value)"
                )
                #expect((reply.json["syncToken"].text != nil) == isThere, "\(value)")
            }
        }
    }

    @Test("A web auth token is accepted under its older name")
    func olderToken() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let target = ServerWorld.target("public/users/caller", parameters: "ckSession=\(alice.token)")
            let reply = try await world.send("GET", target)
            #expect(reply.json["userRecordName"] == .string(alice.recordName))
        }
    }

    @Test("The owner of a zone is accepted in all known spellings")
    func owners() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let owners: [JSON] = [nil, "_defaultOwner", "__defaultOwner__", "", .string(alice.recordName)]
            for owner in owners {
                let zone: JSON = ["zoneName": "Notes", "ownerRecordName": owner]
                let reply = try await world.call("private/zones/lookup", ["zones": [zone]], as: alice)
                #expect(reply.items("zones") == ["ok"], "\(owner)")
            }
        }
    }
}
