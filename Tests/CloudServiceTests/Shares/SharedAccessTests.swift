import CloudletServer
import Records
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Access to shared records", .timeLimit(.minutes(30)))
struct SharedAccessTests {
    /// Creates a note below the root of the story.
    private func child(_ name: String, _ fields: JSON = [:]) -> JSON {
        operation("create", name, type: "Note", fields, ["parent": ["recordName": "note"]])
    }

    @Test("A query in the shared database finds, counts and continues with visible records only")
    func queries() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world, "READ_ONLY")
            _ = try await story.link("accept", as: story.bob)
            let all = try await story.shared(
                "records/query", ["query": ["recordType": "Note"], "resultsLimit": 1], as: story.bob)
            #expect(all.json["records"].texts("recordName") == ["note"])
            #expect(all.json["continuationMarker"].text == nil)
            let filter: JSON = [
                "fieldName": "title", "comparator": "BEGINS_WITH", "fieldValue": text("hid"),
            ]
            let query: JSON = ["recordType": "Note", "filterBy": [filter]]
            let hidden = try await story.shared(
                "records/query", ["query": query, "resultsLimit": 1], as: story.bob)
            #expect(hidden.json["records"].elements.isEmpty)
            #expect(hidden.json["continuationMarker"].text == nil)
        }
    }

    @Test("The marker of a query in the shared database is valid for its person only")
    func markers() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            _ = try await story.save([child("a"), child("b")], as: story.bob)
            let query: [String: JSON] = ["query": ["recordType": "Note"], "resultsLimit": 1]
            let first = try await story.shared("records/query", query, as: story.bob)
            let marker = try #require(first.json["continuationMarker"].text)
            let next = query.merging(["continuationMarker": .string(marker)]) { $1 }
            let own = try await story.shared("records/query", next, as: story.bob)
            #expect(own.json["records"].texts("recordName") == ["a"])
            let open = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["publicPermission": "READ_ONLY"])
            try await world.modify("private", [open], zone: "Notes", as: story.alice)
            _ = try await story.link("accept", as: story.carol)
            let foreign = try await story.shared("records/query", next, as: story.carol)
            #expect(foreign.failure.hasPrefix("400 BAD_REQUEST: "))
        }
    }

    @Test("A participant without a permission reads nothing, and learns of no other participant")
    func noPermission() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let bob = story.bob
            _ = try await story.link("accept", as: bob)
            #expect(try await story.look(["note"], as: bob) == ["ok"])
            func permit(_ permission: String) async throws {
                let participants: JSON = [
                    [
                        "permission": .string(permission),
                        "userIdentity": ["userRecordName": .string(bob.recordName)],
                    ],
                    ["userIdentity": ["userRecordName": .string(story.carol.recordName)]],
                ]
                let change = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": participants])
                let saved = try await world.modify("private", [change], zone: "Notes", as: story.alice)
                #expect(saved.records == ["ok"])
            }
            try await permit("NONE")
            let body: [String: JSON] = ["records": [["recordName": "note"]]]
            let refused = try await story.shared("records/lookup", body, as: bob)
            #expect(refused.failure == "404 ZONE_NOT_FOUND: Zone not found")
            func seen() async throws -> [String?] {
                let entry = try await story.link("resolve", as: bob)
                #expect((entry["rootRecord"] == .null) == (entry["participantPermission"] == "NONE"))
                return entry["share"]["participants"].elements.map {
                    $0["userIdentity"]["userRecordName"].text
                }
            }
            #expect(try await seen() == [story.alice.recordName, bob.recordName])
            try await permit("READ_ONLY")
            #expect(try await story.look(["note"], as: bob) == ["ok"])
            let all = [story.alice.recordName, bob.recordName, story.carol.recordName]
            #expect(try await seen() == all)
        }
    }

    @Test("Hidden records do not count for the size of a look-up")
    func lookupSize() async throws {
        try await withServer(.loopback, { $0.limits.lookupBytes = 4000 }) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let large = operation(
                "forceUpdate", "secret", type: "Note", ["title": text(String(repeating: "x", count: 900))])
            let saved = try await world.modify("private", [large], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
            let names = Array(repeating: "secret", count: 10)
            let missing = Array(repeating: "NOT_FOUND: Record not found", count: 10)
            #expect(try await story.look(names, as: story.bob) == missing)
            let own = try await world.call(
                "private/records/lookup",
                [
                    "records": .array(names.map { ["recordName": .string($0)] }),
                    "zoneID": ["zoneName": "Notes"],
                ], as: story.alice)
            #expect(own.json["reason"].text?.contains("more than 4000 bytes") == true)
        }
    }

    @Test("The parent of the root of a share is shown to the owner only")
    func parentOfRoot() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let move = operation(
                "forceUpdate", "note", type: "Note", [:], ["parent": ["recordName": "divorce-plan"]])
            let saved = try await world.modify(
                "private", [create("divorce-plan", type: "Note"), move], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok", "ok"])
            let early = try await story.link("resolve", as: story.bob)
            #expect(early["rootRecord"]["recordName"] == "note")
            #expect(early["rootRecord"]["parent"] == .null)
            _ = try await story.link("accept", as: story.bob)
            let bodies: [String: [String: JSON]] = [
                "records/lookup": ["records": [["recordName": "note"]]],
                "records/query": ["query": ["recordType": "Note"]],
                "changes/zone": ["zones": [["zoneID": story.zone]]],
                "records/modify": ["operations": [operation("forceUpdate", "note", type: "Note")]],
            ]
            for (call, body) in bodies {
                let reply = try await story.shared(call, body, as: story.bob)
                #expect(reply.text.contains("\"note\""), "\(call)")
                #expect(!reply.text.contains("divorce-plan"), "\(call)")
            }
            let stale = try await story.save(
                [operation("update", "note", type: "Note", tag: "0")], as: story.bob)
            #expect(stale.text.contains("CONFLICT"))
            #expect(!stale.text.contains("divorce-plan"))
            let own = try await world.lookup("private", "note", zone: "Notes", as: story.alice)
            #expect(own.json["records"][0]["parent"]["recordName"] == "divorce-plan")
            let resolved = try await story.link("resolve", as: story.alice)
            #expect(resolved["rootRecord"]["parent"]["recordName"] == "divorce-plan")
        }
    }

    @Test("A participant's references do not bind records that the participant may not write")
    func references() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            for target in ["secret", "missing", "s"] {
                let pin = child("pin", ["r": link(target, "VALIDATE")])
                #expect(
                    try await story.save([pin], as: story.bob).records
                        == ["VALIDATING_REFERENCE_ERROR: the target of a reference does not exist"])
            }
            let pin = child("pin", ["r": link("note", "VALIDATE")])
            #expect(try await story.save([pin], as: story.bob).records == ["ok"])
            let own = create("own", type: "Note", ["r": link("s", "VALIDATE")])
            let kept = try await world.modify("private", [own], zone: "Notes", as: story.alice)
            #expect(kept.records == ["ok"])
            let ended = try await world.modify(
                "private", [forceDelete("s")], zone: "Notes", as: story.alice)
            #expect(ended.json["records"][0]["deleted"] == true)
        }
    }

    @Test("A participant's deletion is refused if a hidden record refers to the record, without naming it")
    func heldFromOutside() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            #expect(try await story.save([child("line")], as: story.bob).records == ["ok"])
            let hold = operation("forceUpdate", "secret", type: "Note", ["r": link("line", "VALIDATE")])
            let held = try await world.modify("private", [hold], zone: "Notes", as: story.alice)
            #expect(held.records == ["ok"])
            let refused = try await story.save([forceDelete("line")], as: story.bob)
            #expect(refused.json["records"][0]["serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
            #expect(!refused.text.contains("secret"))
        }
    }

    @Test("A participant's deletion does not cascade to the root of a share or to records outside of it")
    func cascades() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let change = operation(
                "forceUpdate", "note", type: "Note", ["r": link("x", "DELETE_SELF")])
            #expect(try await story.save([child("x"), change], as: story.bob).records == ["ok", "ok"])
            let own = operation(
                "forceUpdate", "secret", type: "Note", ["r": link("x", "DELETE_SELF")])
            let saved = try await world.modify("private", [own], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
            let gone = try await story.save([forceDelete("x")], as: story.bob)
            #expect(gone.json["records"][0]["deleted"] == true)
            let rest = try await world.lookup(
                "private", "note", "s", "secret", zone: "Notes", as: story.alice)
            #expect(rest.records == ["ok", "ok", "ok"])
        }
    }

    @Test("The shares of one answer are limited in bytes, and a participant's names in length")
    func sizes() async throws {
        try await withServer(.loopback, { $0.limits.answerBytes = 4096 }) { world in
            let story = try await SharingStory.begin(world)
            let item: JSON = ["value": .string(story.guid), "shouldFetchRootRecord": true]
            let body: JSON = ["shortGUIDs": .array(Array(repeating: item, count: 10))]
            let answer = try await world.call("public/records/resolve", body, as: story.bob)
            let reasons = answer.json["results"].texts("reason")
            #expect(reasons.first == .some(nil))
            #expect(reasons.last == "the answer is full: the shares before this one reach its maximum size")
            let person: JSON = [
                "permission": "READ_ONLY", "participantId": .string(String(repeating: "a", count: 256)),
            ]
            let change = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": [person]])
            let refused = try await world.modify("private", [change], zone: "Notes", as: story.alice)
            #expect(refused.records[0].contains("is too long"))
        }
    }

    @Test("The id and the user record name of a participant have no control characters")
    func controlCharacters() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let long = String(repeating: "a", count: 40)
            let people: [JSON] = [
                ["permission": "READ_ONLY", "participantId": .string(long + "\u{1}")],
                ["permission": "READ_ONLY", "userIdentity": ["userRecordName": "_a\u{7F}"]],
            ]
            for person in people {
                let change = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": [person]])
                let refused = try await world.modify(
                    "private", [change], zone: "Notes", as: story.alice)
                #expect(refused.records[0].contains("has control characters"), "\(refused.text)")
            }
            let invitation: JSON = ["permission": "READ_ONLY", "participantId": .string(long)]
            let change = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": [invitation]])
            let saved = try await world.modify("private", [change], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
        }
    }
}
