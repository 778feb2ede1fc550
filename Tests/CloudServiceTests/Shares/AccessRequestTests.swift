import CloudletServer
import Records
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Requests for access to shares", .timeLimit(.minutes(30)))
struct AccessRequestTests {
    private func change(_ members: [String: JSON], _ story: SharingStory) async throws -> Reply {
        try await story.world.modify(
            "private", [operation("forceUpdate", "s", type: "cloudkit.share", [:], members)],
            zone: "Notes", as: story.alice)
    }

    private func ask(_ story: SharingStory, as person: Person) async throws -> String {
        let entry = try await story.link("requestAccess", as: person)
        #expect(entry["shortGUID"] == ["value": .string(story.guid)])
        if entry["serverErrorCode"] == .null { return "ok" }
        return "\(entry["serverErrorCode"].text ?? ""): \(entry["reason"].text ?? "")"
    }

    private func share(_ story: SharingStory) async throws -> JSON {
        let reply = try await story.world.lookup("private", "s", zone: "Notes", as: story.alice)
        return reply.json["records"][0]
    }

    private func entry(_ person: Person) -> JSON {
        ["userIdentity": ["userRecordName": .string(person.recordName)]]
    }

    private func people(_ list: JSON) -> [String?] {
        list.elements.map { $0["userIdentity"]["userRecordName"].text }
    }

    private static let missing = "NOT_FOUND: there is no share with this short GUID"

    @Test("A person asks, the owner is notified and approves, and the person accepts")
    func approve() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            try await world.service.people.change(named: "carol") { $0.givenName = "Carol" }
            #expect(try await ask(story, as: story.carol) == Self.missing)
            #expect(try await change(["denyAccessRequests": false], story).records == ["ok"])
            let watch: JSON = ["subscriptionID": "watch", "subscriptionType": "database"]
            try await world.subscribe("private", [watch], as: story.alice)
            let before = try await share(story)
            #expect(try await ask(story, as: story.carol) == "ok")
            #expect(try await ask(story, as: story.carol) == "ok")
            let asked = try await share(story)
            #expect(asked["requesters"].elements.count == 1)
            let identity = asked["requesters"][0]["userIdentity"]
            #expect(
                identity == [
                    "userRecordName": .string(story.carol.recordName),
                    "nameComponents": ["givenName": "Carol"],
                ])
            #expect(asked["modified"]["userRecordName"] == .string(story.alice.recordName))
            #expect(asked["recordChangeTag"] != before["recordChangeTag"])
            let told = try await world.device("notifications/changes", as: story.alice)
            #expect(told.json["notifications"].elements.count == 1)
            #expect(try await story.link("accept", as: story.carol)["serverErrorCode"] == "ACCESS_DENIED")

            let invitation: JSON = entry(story.carol).with(["permission": "READ_ONLY"])
            let kept = asked["participants"].elements + [invitation]
            #expect(try await change(["participants": .array(kept)], story).records == ["ok"])
            let approved = try await share(story)
            #expect(approved["requesters"] == .null)
            #expect(approved["participants"][2]["isApprovedRequester"] == true)
            #expect(
                try await ask(story, as: story.carol) == "BAD_REQUEST: you may accept this share already")
            #expect(try await story.link("accept", as: story.carol)["participantStatus"] == "ACCEPTED")
            #expect(try await story.look(["note"], as: story.carol) == ["ok"])
        }
    }

    @Test("Only the owner sees who asks, and the feed of a member does not reveal it")
    func hidden() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            #expect(try await change(["denyAccessRequests": false], story).records == ["ok"])
            #expect(try await ask(story, as: story.carol) == "ok")
            for call in ["records/lookup", "changes/zone"] {
                let body: [String: JSON] = [
                    "records": [["recordName": "s"]], "zones": [["zoneID": story.zone]],
                ]
                let seen = try await story.shared(call, body, as: story.bob)
                #expect(seen.text.contains("cloudkit.share"))
                #expect(!seen.text.contains(story.carol.recordName))
            }
            let resolved = try await world.call(
                "public/records/resolve", ["shortGUIDs": [["value": .string(story.guid)]]], as: story.bob)
            #expect(!resolved.text.contains(story.carol.recordName))
        }
    }

    @Test("A denied person may ask again; a blocked one gets `notFound` until unblocked")
    func denyAndBlock() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            #expect(try await change(["denyAccessRequests": false], story).records == ["ok"])
            #expect(try await ask(story, as: story.carol) == "ok")
            #expect(try await change(["requesters": []], story).records == ["ok"])
            #expect(try await share(story)["requesters"] == .null)
            #expect(try await ask(story, as: story.carol) == "ok")
            let both: [String: JSON] = ["blocked": [entry(story.carol), entry(story.bob)]]
            #expect(try await change(both, story).records == ["ok"])
            let blocked = try await share(story)
            #expect(people(blocked["blocked"]) == [story.carol.recordName, story.bob.recordName])
            #expect(people(blocked["participants"]) == [story.alice.recordName])
            let gone = try await story.shared(
                "records/lookup", ["records": [["recordName": "note"]]], as: story.bob)
            #expect(gone.failure == "404 ZONE_NOT_FOUND: Zone not found")
            for person in [story.carol, story.bob] {
                #expect(try await ask(story, as: person) == Self.missing)
            }
            #expect(try await change(["blocked": []], story).records == ["ok"])
            #expect(try await ask(story, as: story.carol) == "ok")
            #expect(try await change(["denyAccessRequests": true], story).records == ["ok"])
            #expect(try await share(story)["requesters"] == .null)
        }
    }

    @Test("A blocked person cannot join by the link of a public share, nor by a one-time link")
    func blockedLinks() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let secret = String(repeating: "7", count: 32)
            let invitation: JSON = ["participantId": .string(secret), "permission": "READ_WRITE"]
            #expect(
                try await change(
                    ["blocked": [entry(story.carol)], "participants": [invitation]], story
                ).records == ["ok"])
            func joining(_ guid: String, as person: Person) async throws -> [String?] {
                var found: [String?] = []
                for call in ["resolve", "accept"] {
                    found.append(try await story.link(call, as: person, guid)["serverErrorCode"].text)
                }
                return found
            }
            let oneTime = "\(story.guid)~\(secret)"
            #expect(try await joining(oneTime, as: story.carol) == ["NOT_FOUND", "NOT_FOUND"])
            #expect(try await change(["publicPermission": "READ_WRITE"], story).records == ["ok"])
            #expect(try await joining(story.guid, as: story.carol) == ["NOT_FOUND", "NOT_FOUND"])
            #expect(try await ask(story, as: story.carol) == Self.missing)
            #expect(try await joining(story.guid, as: story.bob) == [nil, nil])
            let titled = operation(
                "forceUpdate", "s", type: "cloudkit.share", ["cloudkit.title": text("Sea")])
            let saved = try await world.modify("private", [titled], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
            #expect(
                people(try await share(story)["participants"]) == [
                    story.alice.recordName, story.bob.recordName,
                ])
        }
    }

    @Test("Before accepting, an invited administrator sees neither requests and blocked people nor keys")
    func invitedAdministrator() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            let dave = try await world.signIn("dave")
            let key: JSON = ["value": "a2V5", "type": "BYTES"]
            let administrator = entry(story.bob).with(["type": "ADMINISTRATOR", "permission": "READ_WRITE"])
            let saved = try await world.modify(
                "private",
                [
                    operation(
                        "forceUpdate", "s", type: "cloudkit.share", ["cloudlet.zoneKey": key],
                        [
                            "participants": [administrator], "denyAccessRequests": false,
                            "blocked": [entry(dave)],
                        ])
                ], zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok"])
            #expect(try await ask(story, as: story.carol) == "ok")
            let secrets = [story.carol.recordName, dave.recordName, "cloudlet.zoneKey"]
            func shown(_ call: String, root: Bool) async throws -> [Bool] {
                let item: JSON = ["value": .string(story.guid), "shouldFetchRootRecord": .bool(root)]
                let reply = try await world.call(
                    "public/records/\(call)", ["shortGUIDs": [item]], as: story.bob)
                return secrets.map { reply.text.contains($0) }
            }
            #expect(try await shown("resolve", root: false) == [false, false, false])
            // The key comes with a root that may have encrypted values.
            #expect(try await shown("resolve", root: true) == [false, false, true])
            #expect(try await shown("accept", root: false) == [true, true, true])
            #expect(try await shown("resolve", root: false) == [true, true, true])
        }
    }

    @Test("Requests of people who may accept, of anonymous callers, and for ended shares are refused")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            #expect(try await change(["denyAccessRequests": false], story).records == ["ok"])
            let known = "BAD_REQUEST: you may accept this share already"
            for person in [story.alice, story.bob] { #expect(try await ask(story, as: person) == known) }
            let body: JSON = ["shortGUIDs": [["value": .string(story.guid)], ["value": "cut"]]]
            let nobody = try await world.call("public/records/requestAccess", body)
            #expect(nobody.json["serverErrorCode"] == "AUTHENTICATION_REQUIRED")
            let cut = try await world.call("public/records/requestAccess", body, as: story.carol)
            #expect(cut.json["results"].texts("serverErrorCode") == [nil, "NOT_FOUND"])
            let wrong = try await world.call("shared/records/requestAccess", body, as: story.carol)
            #expect(wrong.status == 400)
            #expect(try await change(["publicPermission": "READ_ONLY"], story).records == ["ok"])
            #expect(try await ask(story, as: story.carol) == known)
            try await world.modify("private", [forceDelete("s")], zone: "Notes", as: story.alice)
            #expect(try await ask(story, as: story.carol) == Self.missing)
        }
    }

    @Test("The number of waiting people is limited")
    func limit() async throws {
        try await withServer(.loopback, { $0.limits.participantsPerShare = 2 }) { world in
            let story = try await SharingStory.begin(world)
            #expect(try await change(["denyAccessRequests": false], story).records == ["ok"])
            for name in ["p1", "p2"] {
                #expect(try await ask(story, as: try await world.signIn(name)) == "ok")
            }
            let third = try await ask(story, as: try await world.signIn("p3"))
            #expect(third == "BAD_REQUEST: 2 people wait for an answer to their requests already")
        }
    }
}
