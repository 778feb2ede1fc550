import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Sharing", .timeLimit(.minutes(30)))
struct SharingTests {
    private static let noZone = "404 ZONE_NOT_FOUND: Zone not found"

    @Test("A share is saved with its root, resolved by an invited person and accepted")
    func accept() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let (alice, bob) = (story.alice, story.bob)
            let before = try await story.link("resolve", as: bob)
            #expect(before["databaseScope"] == "SHARED")
            #expect(before["rootRecordName"] == "note")
            #expect(before["rootRecord"]["fields"]["title"]["value"] == "Alps")
            #expect(before["participantType"] == "USER")
            #expect(before["participantStatus"] == "INVITED")
            #expect(before["participantPermission"] == "READ_WRITE")
            #expect(before["ownerIdentity"]["userRecordName"] == .string(alice.recordName))
            #expect(before["zoneID"]["ownerRecordName"] == .string(alice.recordName))
            #expect(try await world.get("shared/zones/list", as: bob).json == ["zones": []])
            for _ in 1...2 {
                let after = try await story.link("accept", as: bob)
                #expect(after["participantStatus"] == "ACCEPTED")
                #expect(after["share"]["currentUserParticipant"]["acceptanceStatus"] == "ACCEPTED")
            }
            let listed = try await world.get("shared/zones/list", as: bob).json["zones"]
            #expect(listed.elements.count == 1)
            #expect(listed[0]["zoneID"]["zoneName"] == "Notes")
            #expect(listed[0]["zoneID"]["ownerRecordName"] == .string(alice.recordName))
            let own = try await story.link("resolve", as: alice)
            #expect(own["databaseScope"] == "PRIVATE")
            #expect(own["participantType"] == "OWNER")
            let refused = try await story.link("accept", as: alice)
            #expect(refused["reason"] == "the owner cannot accept the share")
        }
    }

    @Test("A stranger, a wrong short GUID and somebody who is not signed in are refused (N67)")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            for call in ["resolve", "accept"] {
                let stranger = try await story.link(call, as: story.carol)
                #expect(stranger["reason"] == "only invited people can accept this share")
                for guid in ["", "x", String(story.guid.dropLast()), String(story.guid.reversed())] {
                    let entry = try await story.link(call, as: story.bob, guid)
                    #expect(entry["serverErrorCode"] == "NOT_FOUND", "\(guid)")
                }
                let body: JSON = ["shortGUIDs": [.string(story.guid)]]
                #expect(try await world.call("public/records/\(call)", body).status == 421)
            }
            let found = try await story.shared(
                "records/lookup", ["records": ["note"]], as: story.carol)
            #expect(found.failure == Self.noZone)
            let invited = try await story.shared("records/lookup", ["records": ["note"]], as: story.bob)
            #expect(invited.failure == Self.noZone)
            let own = try await story.shared("records/lookup", ["records": ["note"]], as: story.alice)
            #expect(own.failure == Self.noZone)
        }
    }

    @Test("A participant reads and changes what is below the root, and nothing else of the zone")
    func edit() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let (alice, bob) = (story.alice, story.bob)
            _ = try await story.link("accept", as: bob)
            #expect(
                try await story.look(["note", "s", "secret", "none"], as: bob)
                    == ["ok", "ok", "NOT_FOUND: Record not found", "NOT_FOUND: Record not found"])
            let child = operation(
                "create", "line", type: "Note", ["title": text("by bob")],
                ["parent": ["recordName": "note"]])
            let saved = try await story.save([child], as: bob)
            #expect(saved.records == ["ok"])
            #expect(saved.json["records"][0]["created"]["userRecordName"] == .string(bob.recordName))
            #expect(saved.json["records"][0]["zoneID"]["ownerRecordName"] == .string(alice.recordName))
            let seen = try await world.lookup("private", "line", zone: "Notes", as: alice)
            #expect(seen.json["records"][0]["fields"]["title"]["value"] == "by bob")
            let alone = try await story.save([create("alone", type: "Note")], as: bob)
            #expect(
                alone.records == [
                    "ACCESS_DENIED: a record in the shared database needs a parent in the same share"
                ])
            let hidden = operation("forceUpdate", "secret", type: "Note", ["title": text("mine")])
            #expect(try await story.save([hidden], as: bob).records == alone.records)
            let root = try await story.save([forceDelete("note")], as: bob)
            #expect(root.records == ["ACCESS_DENIED: only the owner may delete the root of a share"])
            let query: JSON = ["recordType": "Note", "sortBy": [["fieldName": "title"]]]
            let result = try await story.shared("records/query", ["query": query], as: bob)
            #expect(
                result.json["records"].texts("recordName").compactMap { $0 }.sorted() == ["line", "note"])
        }
    }

    @Test("The feeds of a participant show the shared records, and their end when the person is removed")
    func feeds() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let (alice, bob) = (story.alice, story.bob)
            _ = try await story.link("accept", as: bob)
            let first = try await world.call("shared/changes/database", as: bob).json
            #expect(first["zones"].elements.count == 1)
            #expect(first["zones"][0]["zoneID"]["ownerRecordName"] == .string(alice.recordName))
            let feed: JSON = ["zones": [["zoneID": story.zone]]]
            let page = try await world.call("shared/changes/zone", feed, as: bob).json["zones"][0]
            #expect(page["records"].texts("recordName").compactMap { $0 }.sorted() == ["note", "s"])
            let since: JSON = ["syncToken": first["syncToken"]]
            let quiet = try await world.call("shared/changes/database", since, as: bob).json
            #expect(quiet["zones"].elements.isEmpty)
            let removal = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": []])
            #expect(
                try await world.modify("private", [removal], zone: "Notes", as: alice).records == ["ok"])
            let gone = try await world.call("shared/changes/database", since, as: bob).json
            #expect(gone["zones"][0]["deleted"] == true)
            #expect(try await world.get("shared/zones/list", as: bob).json == ["zones": []])
            let refused = try await story.shared("records/lookup", ["records": ["note"]], as: bob)
            #expect(refused.failure == Self.noZone)
            let late = try await story.save([operation("forceUpdate", "note", type: "Note")], as: bob)
            #expect(late.failure == Self.noZone)
        }
    }

    @Test("A participant with permission to read cannot write, and leaves by deleting the share")
    func leave() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world, "READ_ONLY")
            let bob = story.bob
            _ = try await story.link("accept", as: bob)
            let change = operation("forceUpdate", "note", type: "Note", ["title": text("x")])
            #expect(
                try await story.save([change], as: bob).records
                    == ["ACCESS_DENIED: WRITE operation not permitted"])
            #expect(try await story.save([forceDelete("s")], as: bob).json["records"][0]["deleted"] == true)
            let refused = try await story.shared("records/lookup", ["records": ["note"]], as: bob)
            #expect(refused.failure == Self.noZone)
            let kept = try await world.lookup("private", "note", "s", zone: "Notes", as: story.alice)
            #expect(kept.records == ["ok", "ok"])
        }
    }

    @Test("Anybody with the link joins a share and gets its public permission, until it ends (N69)")
    func publicShare() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            for (permission, joins) in [("READ_ONLY", true), ("READ_WRITE", true), ("NONE", false)] {
                let change = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:],
                    ["publicPermission": .string(permission)])
                let saved = try await world.modify("private", [change], zone: "Notes", as: story.alice)
                #expect(saved.records == ["ok"])
                let entry = try await story.link("accept", as: story.carol)
                #expect((entry["participantType"] == "PUBLIC_USER") == joins)
                #expect((entry["participantStatus"] == "ACCEPTED") == joins)
                #expect(entry["participantPermission"].text == (joins ? permission : nil))
                let edit = operation("forceUpdate", "note", type: "Note", ["title": text(permission)])
                let wrote = try await story.save([edit], as: story.carol)
                #expect((wrote.records == ["ok"]) == (permission == "READ_WRITE"))
                let listed = try await world.get("shared/zones/list", as: story.carol).json
                #expect((listed["zones"].elements.count == 1) == joins)
            }
        }
    }

    @Test("A person who joined by the link and gets NONE stays out when the owner saves the people again")
    func publicNone() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let (carol, dave) = (story.carol, try await world.signIn("dave"))
            func save(_ members: [String: JSON]) async throws {
                let change = operation("forceUpdate", "s", type: "cloudkit.share", [:], members)
                let saved = try await world.modify("private", [change], zone: "Notes", as: story.alice)
                #expect(saved.records == ["ok"])
            }
            func people() async throws -> [JSON] {
                let share = try await world.lookup("private", "s", zone: "Notes", as: story.alice)
                return share.json["records"][0]["participants"].elements
            }
            func permission(_ call: String, as person: Person) async throws -> JSON {
                try await story.link(call, as: person)["participantPermission"]
            }
            try await save(["publicPermission": "READ_ONLY"])
            for person in [carol, dave] { #expect(try await permission("accept", as: person) == "READ_ONLY") }
            // The share's present permission applies, not that from the time of joining.
            try await save(["publicPermission": "READ_WRITE"])
            #expect(try await permission("resolve", as: carol) == "READ_WRITE")
            let isCarol = { (one: JSON) in one["userIdentity"]["userRecordName"].text == carol.recordName }
            let without = try await people().map { isCarol($0) ? $0.with(["permission": "NONE"]) : $0 }
            try await save(["participants": .array(without)])
            let shown = try await people()
            let permissions = shown.filter(isCarol).map { $0["permission"] }
            #expect(permissions == ["NONE"])
            #expect(try await permission("resolve", as: carol) == "NONE")
            let rest = shown.filter { $0["userIdentity"]["userRecordName"].text != dave.recordName }
            try await save(["participants": .array(rest)])
            let refused = try await story.shared("records/lookup", ["records": ["note"]], as: carol)
            #expect(refused.failure == Self.noZone)
        }
    }

    @Test("Shares are refused in the public database, in the default zone, and with another record type")
    func misplaced() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let share = operation(
                "create", "s", type: "cloudkit.share", [:], ["forRecord": ["recordName": "a"]])
            let first = create("a")
            let open = try await world.modify("public", [first, share], as: alice)
            #expect(open.json["records"][1]["reason"] == "a share is saved in its owner's private database")
            let home = try await world.modify("private", [first, share], as: alice)
            #expect(home.json["records"][1]["reason"] == "the default zone cannot hold shares")
            let spelled = operation("create", "t", type: "cloudKit.share")
            #expect(
                try await world.modify("private", [spelled], as: alice).failure
                    == "400 BAD_REQUEST: Cannot share - no such record exists to share")
            let wish = operation("create", "w", type: "Party", [:], ["createShortGUID": true])
            #expect(try await world.modify("public", [wish], as: alice).records[0].hasPrefix("BAD_REQUEST"))
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let made = try await world.modify("private", [wish], zone: "Notes", as: alice)
            #expect(made.json["records"][0]["shortGUID"].text?.count == 34)
        }
    }

    @Test("A participant uploads a file into the owner's database, and both read it")
    func files() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let (alice, bob) = (story.alice, story.bob)
            let wish: JSON = ["recordName": "line", "recordType": "Note", "fieldName": "file"]
            let tokens: [String: JSON] = ["tokens": [wish]]
            let early = try await story.shared("assets/upload", tokens, as: bob)
            #expect(early.failure == Self.noZone)
            _ = try await story.link("accept", as: bob)
            let place = try await story.shared("assets/upload", tokens, as: bob)
            let address = try #require(place.json["tokens"][0]["url"].text)
            let sent = try await world.send("POST", address, body: Array("hello".utf8))
            let file: JSON = ["value": sent.json["singleFile"], "type": "ASSETID"]
            let line = operation(
                "create", "line", type: "Note", ["file": file], ["parent": ["recordName": "note"]])
            #expect(try await story.save([line], as: bob).records == ["ok"])
            let names: [String: JSON] = ["records": ["line"]]
            for reply in [
                try await story.shared("records/lookup", names, as: bob),
                try await world.lookup("private", "line", zone: "Notes", as: alice),
            ] {
                let value = reply.json["records"][0]["fields"]["file"]["value"]
                let url = try #require(value["downloadURL"].text)
                #expect(try await world.send("GET", url).text == "hello")
            }
            let source: JSON = ["recordName": "line", "fieldName": "file"]
            let sources: [String: JSON] = ["assets": [source]]
            let again = try await story.shared("assets/rereference", sources, as: bob)
            #expect(again.items("assets") == ["ok"])
            _ = try await story.save([forceDelete("s")], as: bob)
            #expect(try await story.shared("assets/rereference", sources, as: bob).failure == Self.noZone)
            #expect(try await story.shared("assets/upload", tokens, as: bob).failure == Self.noZone)
        }
    }
}
