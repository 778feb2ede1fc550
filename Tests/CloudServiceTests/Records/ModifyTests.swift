import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Saving and deleting", .timeLimit(.minutes(30)))
struct ModifyTests {
    private static let details: CloudHeaders = ["X-Cloudlet-Details": "1"]

    @Test("A stale change tag is a conflict, and Cloudlet's client gets the server's record with it")
    func conflict() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let made = try await world.modify("public", [create("p", ["n": number(1)])], as: alice)
            let stale = try #require(made.json["records"][0]["recordChangeTag"].text)
            _ = try await world.modify(
                "public", [operation("update", "p", tag: stale, ["n": number(2)])], as: alice)
            let late = batch([operation("update", "p", tag: stale, ["n": number(3)])])
            let plain = try await world.call("public/records/modify", late, as: alice)
            #expect(plain.status == 200)
            #expect(plain.records == ["CONFLICT: client oplock error updating record"])
            #expect(plain.json["records"][0].keys == ["reason", "recordName", "serverErrorCode", "uuid"])
            let detailed = try await world.call(
                "public/records/modify", late, as: alice, headers: Self.details
            )
            let details = detailed.json["records"][0]["cloudlet"]
            #expect(details["code"] == "conflict")
            #expect(details["serverRecord"]["fields"] == ["n": number(2)])
            #expect(details["nextStep"].text?.isEmpty == false)
        }
    }

    @Test("Each operation fails independently, with CloudKit's code and text")
    func itemErrors() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("old")], as: alice)
            let operations = [
                create("new"), create("old"), operation("update", "absent", tag: "1"),
                operation("delete", "gone"),
                forceDelete("never"), operation("update", "old2", ["x": number(1)]), create("_reserved"),
                create("caf\u{e9}"), create(nil),
            ]
            let reply = try await world.modify("public", operations, as: alice)
            #expect(reply.status == 200)
            #expect(
                reply.records == [
                    "ok", "CONFLICT: record to insert already exists", "NOT_FOUND: Record not found",
                    "NOT_FOUND: Record not found", "ok", "NOT_FOUND: Record not found",
                    "BAD_REQUEST: a record name must not begin with an underscore",
                    "BAD_REQUEST: a record name must consist of printable ASCII characters", "ok",
                ]
            )
            let entries = reply.json["records"].elements
            #expect(entries[1]["recordName"] == "old")
            #expect(entries[4] == ["recordName": "never", "deleted": true])
            #expect(entries[8]["recordName"].text?.count == 36)
        }
    }

    @Test("A request as a whole fails with its status")
    func requestErrors() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let twice = batch([create("a"), forceDelete("a")])
            let double = try await world.call("public/records/modify", twice, as: alice)
            #expect(double.failure == "400 BAD_REQUEST: You can't save the same record twice")
            let zone = try await world.modify("private", [create("a")], zone: "No", as: alice)
            #expect(zone.failure == "404 ZONE_NOT_FOUND: Zone not found")
            let bodies = [
                "{", "[]", "null", "7", "\"x\"", "{\"operations\":{}}", "{\"operations\":[3]}", "{}",
                "{\"operations\":[{\"operationType\":\"invent\",\"record\":{\"recordName\":\"a\"}}]}",
                "{\"operations\":[{\"record\":{}}]}", "{\"operations\":[]}garbage", "\u{0}",
                "{\"a\":\"\\ud800\"}",
                String(repeating: "[", count: 100_000),
            ]
            let target = ServerWorld.target("public/records/modify", as: alice)
            for body in bodies {
                let reply = try await world.send("POST", target, body: Array(body.utf8))
                #expect(reply.status == 400, "\(body.prefix(40))")
                #expect(reply.json["serverErrorCode"] == "BAD_REQUEST", "\(body.prefix(40))")
            }
            let notText = try await world.send("POST", target, body: [0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d])
            #expect(notText.status == 400)
            #expect(
                try await world.lookup("public", "a").records[0].hasPrefix("NOT_FOUND"))
        }
    }

    @Test("Each save policy has its documented effect")
    func policies() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func save(_ one: JSON) async throws -> JSON {
                try await world.modify("public", [one], as: alice).json["records"][0]
            }
            let made = try await save(create("p", ["a": number(1), "b": number(2)]))
            let tag = try #require(made["recordChangeTag"].text)
            let merged = try await save(operation("update", "p", tag: tag, ["a": number(9)]))
            #expect(merged["fields"] == ["a": number(9), "b": number(2)])
            let next = try #require(merged["recordChangeTag"].text)
            let replaced = try await save(operation("replace", "p", tag: next, ["c": number(3)]))
            #expect(replaced["fields"] == ["c": number(3)])
            let forced = try await save(
                operation("forceUpdate", "p", type: "Party", tag: tag, ["d": number(4)]))
            #expect(forced["fields"] == ["c": number(3), "d": number(4)])
            let whole = try await save(operation("forceReplace", "p", type: "Party", ["e": number(5)]))
            #expect(whole["fields"] == ["e": number(5)])
            let born = try await save(operation("forceUpdate", "q", type: "Party", ["a": number(1)]))
            #expect(born["fields"] == ["a": number(1)])
            let untagged = try await save(operation("update", "p", ["a": number(1)]))
            #expect(untagged["serverErrorCode"] == "BAD_REQUEST")
            let typeless = try await save(operation("forceUpdate", "r", ["a": number(1)]))
            #expect(typeless["serverErrorCode"] == "BAD_REQUEST")
            let other = try await save(operation("forceUpdate", "p", type: "Clown", ["a": number(1)]))
            #expect(other["serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test("In a custom zone a batch is atomic unless it requests otherwise")
    func atomic() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let operations = [create("a"), operation("update", "absent", tag: "1"), create("b")]
            let atomic = try await world.modify("private", operations, zone: "Notes", as: alice)
            #expect(atomic.status == 200)
            let bystander = "ATOMIC_ERROR: Atomic failure"
            #expect(atomic.records == [bystander, "NOT_FOUND: Record not found", bystander])
            let after = try await world.lookup("private", "a", "b", zone: "Notes", as: alice)
            #expect(after.records == ["NOT_FOUND: Record not found", "NOT_FOUND: Record not found"])
            let early = try await world.modify(
                "private", [create("a"), create("_b")], zone: "Notes", as: alice)
            #expect(early.records.first == bystander)
            let single = try await world.modify(
                "private", operations, zone: "Notes", atomic: false, as: alice)
            #expect(single.records == ["ok", "NOT_FOUND: Record not found", "ok"])
            let common = try await world.modify("private", operations, atomic: true, as: alice)
            #expect(common.records == ["ok", "NOT_FOUND: Record not found", "ok"])
        }
    }

    @Test("Deleting a record deletes the records that refer to it with delete-self, at any depth")
    func cascade() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let tree = [
                create("party"), create("clown", type: "Clown", ["party": link("party", "DELETE_SELF")]),
                create("photo", type: "Photo", ["clown": link("clown", "DELETE_SELF")]),
                create("guest", type: "Guest", ["party": link("party")]),
            ]
            let saved = try await world.modify("public", tree, as: alice)
            #expect(saved.records == ["ok", "ok", "ok", "ok"])
            _ = try await world.modify("public", [forceDelete("party")], as: alice)
            let left = try await world.lookup("public", "party", "clown", "photo", "guest")
            let gone = "NOT_FOUND: Record not found"
            #expect(left.records == [gone, gone, gone, "ok"])
        }
    }

    @Test("An answer contains the desired keys only, and numbers as strings on request")
    func shapes() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = [
                "n": number(9_007_199_254_740_993), "d": ["value": 0.5, "type": "DOUBLE"], "t": text("x"),
            ]
            let body = batch([create("p", fields)]).with(["desiredKeys": ["n"], "numbersAsStrings": true])
            let saved = try await world.call("public/records/modify", body, as: alice)
            #expect(
                saved.json["records"][0]["fields"] == ["n": ["value": "9007199254740993", "type": "INT64"]])
            let none = try await world.call("public/records/lookup", names("p").with(["desiredKeys": []]))
            #expect(none.json["records"][0]["fields"] == [:])
            let all = try await world.lookup("public", "p")
            #expect(all.json["records"][0]["fields"] == fields)
            let each: JSON = ["records": [["recordName": "p", "desiredKeys": ["t"]], ["recordName": "p"]]]
            let mixed = try await world.call("public/records/lookup", each).json["records"]
            #expect(mixed[0]["fields"] == ["t": text("x")])
            #expect(mixed[1]["fields"] == fields)
            let query: JSON = [
                "query": ["recordType": "Party"], "desiredKeys": ["d"], "numbersAsStrings": true,
            ]
            let found = try await world.call("public/records/query", query).json["records"][0]["fields"]
            #expect(found == ["d": ["value": "0.5", "type": "DOUBLE"]])
        }
    }
}
