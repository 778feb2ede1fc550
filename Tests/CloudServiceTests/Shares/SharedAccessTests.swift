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
                    ]
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
            let entry = try await story.link("resolve", as: bob)
            #expect(entry["rootRecord"] == .null)
            try await permit("READ_ONLY")
            #expect(try await story.look(["note"], as: bob) == ["ok"])
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
}
