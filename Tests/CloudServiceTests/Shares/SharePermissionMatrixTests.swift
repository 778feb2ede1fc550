import Crypto
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The permissions of shares", .timeLimit(.minutes(30)))
struct SharePermissionMatrixTests {
    @Test("Every role gets the expected result for every call and target", arguments: ShareRole.allCases)
    func cells(_ role: ShareRole) async throws {
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role)
            let rules = ShareRules(role: role)
            for call in ShareCall.allCases {
                for target in call.targets {
                    let got = try await fixture.outcome(of: call, target)
                    let cell = "\(role) calls \(call) on \(target)"
                    #expect(got == rules.expected(call, target), "\(cell)")
                }
            }
            if role == .owner { return }
            // Nothing that others tried has removed the zone.
            let note = try await world.lookup("private", "note", zone: "Notes", as: fixture.story.alice)
            #expect(note.records == ["ok"], "\(role)")
        }
    }

    @Test("Lists and feeds of zones show the shared zone to members only", arguments: ShareRole.allCases)
    func zones(_ role: ShareRole) async throws {
        if role == .anonymous || role == .serverKey { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role)
            for call in [ShareCall.zonesList, .databaseChanges, .zonesChanges] {
                let zones = try await fixture.reply(to: call, .root).json["zones"].elements
                let shown = zones.filter { $0["deleted"] != true }.map { $0["zoneID"] }
                let names = shown.compactMap { $0["zoneName"].text }.filter { $0 != "_defaultZone" }
                #expect(names == ShareRules(role: role).zones, "\(role) calls \(call)")
                let owners = Set(shown.compactMap { $0["ownerRecordName"].text })
                #expect(owners.isSubset(of: [fixture.story.alice.recordName]), "\(role) calls \(call)")
            }
        }
    }

    @Test("Queries and feeds show each member the same records", arguments: ShareRole.allCases)
    func visible(_ role: ShareRole) async throws {
        if role != .owner, !role.isMember { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role)
            let notes: Set<String> = ["note", "child", "grandchild", "secret", "leaf"]
            let expected = ShareRules(role: role).visible(notes)
            let found = try await fixture.reply(to: .query, .root).json["records"].texts("recordName")
            let names = found.compactMap { $0 }
            #expect(Set(names) == expected, "\(role) calls query")
            let page = try await fixture.reply(to: .zoneChanges, .root).json["zones"][0]
            let changed = page["records"].texts("recordName").compactMap { $0 }
            #expect(Set(changed) == expected.union(["s"]), "\(role) calls zoneChanges")
        }
    }

    @Test("A record outside of the share is answered like a missing one", arguments: ShareRole.allCases)
    func hidden(_ role: ShareRole) async throws {
        guard role.isMember else { return }
        try await withServer(.loopback) { world in
            let fixture = try await ShareFixture.begin(world, role)
            for call in [ShareCall.lookup, .delete, .createBelow, .setParent] {
                let hidden = try await fixture.outcome(of: call, .outside)
                let missing = try await fixture.outcome(of: call, .missing)
                #expect(hidden == missing, "\(role) calls \(call)")
            }
        }
    }
}

/// Somebody with a role towards Alice's share: of a note, its child, its grandchild and a leaf of the note.
private struct ShareFixture {
    let story: SharingStory
    let role: ShareRole
    /// nil for calls without a person.
    let person: Person?
    let key: String
    let pair: P256.Signing.PrivateKey
    /// The URL of a file of `child` that the person got as a member; nil for others.
    var url: String?

    static func begin(_ world: ServerWorld, _ role: ShareRole) async throws -> ShareFixture {
        let pair = P256.Signing.PrivateKey()
        let key = try await world.register(pair.publicKey.pemRepresentation)
        let story = try await SharingStory.begin(world, role.permission)
        try await world.call("public/users/permission", ["userDiscoverability": true], as: story.alice)
        let below = [("child", "note"), ("grandchild", "child"), ("leaf", "note")].map { name, parent in
            operation("create", name, type: "Note", [:], ["parent": ["recordName": .string(parent)]])
        }
        let saved = try await world.modify("private", below, zone: "Notes", as: story.alice)
        #expect(saved.records == ["ok", "ok", "ok"])
        try await addFiles(to: story)
        let person: Person? =
            switch role {
            case .owner: story.alice
            case .readWrite, .readOnly, .invited, .removed: story.bob
            case .publicReadWrite, .publicReadOnly, .stranger: story.carol
            case .anonymous, .serverKey: nil
            }
        if role.isPublic {
            let open = ["publicPermission": JSON.string(role.permission)]
            let change = operation("forceUpdate", "s", type: "cloudkit.share", [:], open)
            #expect(
                try await world.modify("private", [change], zone: "Notes", as: story.alice).records == ["ok"])
        }
        if let person, role.isMember || role == .removed {
            let entry = try await story.link("accept", as: person)
            #expect(entry["participantStatus"] == "ACCEPTED", "\(role)")
        }
        var fixture = ShareFixture(story: story, role: role, person: person, key: key, pair: pair)
        if role == .removed {
            fixture.url = try await fixture.address(.child)
            let removal = operation("forceUpdate", "s", type: "cloudkit.share", [:], ["participants": []])
            #expect(
                try await world.modify("private", [removal], zone: "Notes", as: story.alice).records == ["ok"]
            )
        }
        return fixture
    }

    /// Saves a file in `child` and in the record outside.
    private static func addFiles(to story: SharingStory) async throws {
        let world = story.world
        for name in [ShareTarget.child, .outside].map(\.rawValue) {
            let address = try await world.uploadAddress(
                record: name, type: "Note", database: "private", as: story.alice)
            let sent = try await world.send("POST", address, body: Array(name.utf8))
            let file: JSON = ["file": ["value": sent.json["singleFile"], "type": "ASSETID"]]
            let saved = try await world.modify(
                "private", [operation("forceUpdate", name, type: "Note", file)], zone: "Notes",
                as: story.alice)
            #expect(saved.records == ["ok"])
        }
    }

    /// The URL of the file of a record; nil if the caller does not find the record.
    private func address(_ target: ShareTarget) async throws -> String? {
        let record = try await reply(to: .lookup, target).json["records"][0]
        return record["fields"]["file"]["value"]["downloadURL"].text
    }

    /// The code of the request's error or of its only entry's, or `ok`.
    func outcome(of call: ShareCall, _ target: ShareTarget) async throws -> String {
        let reply = try await reply(to: call, target)
        if call == .download, reply.status == 404, reply.json["serverErrorCode"] == .null {
            return "NOT_FOUND"
        }
        if reply.status != 200 { return reply.json["serverErrorCode"].text ?? reply.failure }
        // The first operation saves the root.
        if call == .shareAgain { return reply.json["records"][1]["serverErrorCode"].text ?? "ok" }
        for key in ["records", "zones", "results", "tokens", "subscriptions", "assets", "users"] {
            let codes = reply.json[key].elements.compactMap { $0["serverErrorCode"].text }
            if let code = codes.first { return code }
        }
        return "ok"
    }

    func reply(to call: ShareCall, _ target: ShareTarget) async throws -> Reply {
        let note: JSON = ["recordName": .string(target.rawValue)]
        switch call {
        case .lookup: return try await send("records/lookup", ["records": [note]])
        case .query: return try await send("records/query", ["query": ["recordType": "Note"]])
        case .zoneChanges: return try await send("changes/zone", ["zones": [["zoneID": story.zone]]])
        case .recordsChanges: return try await send("records/changes", [:])
        case .zonesChanges: return try await send("zones/changes", [:])
        case .databaseChanges: return try await send("changes/database", [:])
        case .zonesList: return try await send("zones/list", [:])
        case .zonesLookup: return try await send("zones/lookup", ["zones": [["zoneID": story.zone]]])
        case .subscriptionsList: return try await send("subscriptions/list", [:])
        case .resolve, .accept:
            let guids: [String: JSON] = ["shortGUIDs": [["value": .string(story.guid)]]]
            return try await send("records/\(call)", guids, in: "public")
        case .zonesModify:
            let change: JSON = ["operationType": "create", "zone": ["zoneID": ["zoneName": "New"]]]
            return try await send("zones/modify", ["operations": [change]])
        case .zonesDelete:
            let change: JSON = ["operationType": "delete", "zone": ["zoneID": story.zone]]
            return try await send("zones/modify", ["operations": [change]])
        case .subscriptionsLookup:
            return try await send(
                "subscriptions/lookup", ["subscriptions": [["subscriptionID": "changes"]]])
        case .unsubscribe: return try await subscribe([:], "delete")
        case .subscribe: return try await subscribe(["subscriptionType": "database"])
        case .subscribeToZone:
            return try await subscribe(["subscriptionType": "zone", "zoneID": story.zone])
        case .requestAccess:
            let guids: [String: JSON] = ["shortGUIDs": [["value": .string(story.guid)]]]
            return try await send("records/requestAccess", guids, in: "public")
        case .rereference:
            let source: JSON = ["recordName": .string(target.rawValue), "fieldName": "file"]
            return try await send("assets/rereference", ["assets": [source]])
        case .download:
            // A caller who does not find the record has no URL. The result is then that of the look-up.
            var known = url
            if known == nil { known = try await address(target) }
            guard let known else { return try await reply(to: .lookup, target) }
            return try await story.world.send("GET", known)
        case .usersCaller: return try await send("users/caller", [:])
        case .usersDiscover:
            let info: JSON = ["userRecordName": .string(story.alice.recordName)]
            return try await send("users/discover", ["lookupInfos": [info]])
        case .usersLookup:
            let owner: JSON = ["userRecordName": .string(story.alice.recordName)]
            return try await send("users/lookup/id", ["users": [owner]])
        case .upload:
            let wish: JSON = [
                "recordName": .string(target.rawValue), "recordType": "Note", "fieldName": "file",
            ]
            return try await send("assets/upload", ["tokens": [wish]])
        default: return try await send("records/modify", ["operations": .array(changes(call, target))])
        }
    }

    private func subscribe(
        _ subscription: [String: JSON], _ kind: String = "create"
    ) async throws -> Reply {
        let named = JSON.object(subscription.merging(["subscriptionID": "changes"]) { $1 })
        let change: JSON = ["operationType": .string(kind), "subscription": named]
        return try await send("subscriptions/modify", ["operations": [change]])
    }

    private func changes(_ call: ShareCall, _ target: ShareTarget) -> [JSON] {
        // A new share is saved in one request with its root.
        call == .shareAgain ? [change(.save, target), change(call, target)] : [change(call, target)]
    }

    private func change(_ call: ShareCall, _ target: ShareTarget) -> JSON {
        let name = target.rawValue
        let below: [String: JSON] = ["parent": ["recordName": .string(name)]]
        switch call {
        case .save: return operation("forceUpdate", name, type: "Note", ["title": text("x")])
        case .createBelow: return operation("create", "below-\(name)", type: "Note", [:], below)
        case .setParent: return operation("forceUpdate", "leaf", type: "Note", [:], below)
        case .createAlone: return create("alone", type: "Note")
        case .editShare:
            return operation("forceUpdate", "s", type: "cloudkit.share", ["cloudkit.title": text("Sea")])
        case .shareAgain:
            return operation(
                "create", "again", type: "cloudkit.share", [:], ["forRecord": ["recordName": .string(name)]])
        case .leave: return operation("forceDelete", "s", type: "cloudkit.share")
        // Not forced: the deletion of a missing record is refused, so the answer tells what is visible.
        default: return operation("delete", name, type: "Note")
        }
    }

    private func send(
        _ call: String, _ body: [String: JSON], in database: String? = nil
    ) async throws -> Reply {
        let database = database ?? (role == .owner ? "private" : "shared")
        let body = JSON.object(body.merging(["zoneID": story.zone]) { $1 })
        if role == .serverKey {
            return try await story.world.call("\(database)/\(call)", body, key, pair)
        }
        return try await story.world.call("\(database)/\(call)", body, as: person)
    }
}
