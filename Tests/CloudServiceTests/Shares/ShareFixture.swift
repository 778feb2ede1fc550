import CloudService
import Crypto
import Records
import Testing

@testable import ServerKit
@testable import TestKit

/// Somebody with a role towards Alice's share: of a note, its child, its grandchild and a leaf of the note,
/// or of the whole zone. Dave is a member of the share, too.
struct ShareFixture {
    let story: SharingStory
    let role: ShareRole
    /// nil for calls without a person.
    let person: Person?
    let key: String
    let pair: P256.Signing.PrivateKey
    /// The URLs of files that the person got as a member before the removal; empty for others.
    var urls: [ShareTarget: String] = [:]
    /// The URLs of files that Dave got.
    var urlsOfMember: [ShareTarget: String] = [:]

    static func begin(
        _ world: ServerWorld, _ role: ShareRole, _ extent: ShareExtent = .hierarchy,
        hasRecordsBelow: Bool = true
    ) async throws -> ShareFixture {
        let pair = P256.Signing.PrivateKey()
        let key = try await world.register(pair.publicKey.pemRepresentation)
        let story = try await SharingStory.begin(world, role.permission, wholeZone: extent == .zone)
        try await world.service.people.change(named: "alice") { $0.email = "alice@example.org" }
        try await world.call("public/users/permission", ["userDiscoverability": true], as: story.alice)
        if hasRecordsBelow {
            let below = [("child", "note"), ("grandchild", "child"), ("leaf", "note")].map { name, parent in
                operation("create", name, type: "Note", [:], ["parent": ["recordName": .string(parent)]])
            }
            let saved = try await world.modify("private", below, zone: "Notes", as: story.alice)
            #expect(saved.records == ["ok", "ok", "ok"])
        }
        try await addFiles(to: story, hasRecordsBelow ? ShareTarget.files : [.root, .outside])
        let person: Person? =
            switch role {
            case .owner: story.alice
            case .readWrite, .readOnly, .invited, .removed: story.bob
            case .publicReadWrite, .publicReadOnly, .stranger: story.carol
            case .anonymous, .serverKey: nil
            }
        var fixture = ShareFixture(story: story, role: role, person: person, key: key, pair: pair)
        let dave = try await fixture.addMember()
        if role.isPublic { try await fixture.changeShare(["publicPermission": .string(role.permission)]) }
        if let person, role.isMember || role == .removed {
            let entry = try await story.link("accept", as: person)
            #expect(entry["participantStatus"] == "ACCEPTED", "\(role)")
        }
        if role == .removed {
            fixture.urls = try await fixture.addresses(for: story.bob)
            try await fixture.changeShare(["participants": [invitation(dave, "READ_WRITE")]])
        }
        fixture.urlsOfMember = try await fixture.addresses(for: dave)
        return fixture
    }

    private static func invitation(_ person: Person, _ permission: String) -> JSON {
        ["permission": .string(permission), "userIdentity": ["userRecordName": .string(person.recordName)]]
    }

    /// Invites Dave beside Bob. He accepts.
    private func addMember() async throws -> Person {
        let dave = try await story.world.signIn("dave")
        let people = [(story.bob, role.permission), (dave, "READ_WRITE")].map { Self.invitation($0, $1) }
        try await changeShare(["participants": .array(people)])
        #expect(try await story.link("accept", as: dave)["participantStatus"] == "ACCEPTED")
        return dave
    }

    private func changeShare(_ members: [String: JSON]) async throws {
        let change = operation("forceUpdate", story.share, type: "cloudkit.share", [:], members)
        let saved = try await story.world.modify("private", [change], zone: "Notes", as: story.alice)
        #expect(saved.records == ["ok"])
    }

    /// Saves a file in each of these records.
    private static func addFiles(to story: SharingStory, _ targets: [ShareTarget]) async throws {
        let world = story.world
        for name in targets.map(\.rawValue) {
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

    /// The URLs of the files that a member finds.
    private func addresses(for member: Person) async throws -> [ShareTarget: String] {
        let names = ShareTarget.files.map { ["recordName": .string($0.rawValue)] as JSON }
        let reply = try await story.shared("records/lookup", ["records": .array(names)], as: member)
        let urls = reply.json["records"].elements.map { $0["fields"]["file"]["value"]["downloadURL"].text }
        return Dictionary(uniqueKeysWithValues: zip(ShareTarget.files, urls)).compactMapValues { $0 }
    }

    /// The URL of the file of a record; nil if the caller does not find the record.
    private func address(_ target: ShareTarget) async throws -> String? {
        let record = try await reply(to: .lookup, target).json["records"][0]
        return record["fields"]["file"]["value"]["downloadURL"].text
    }

    // MARK: Calls

    /// The code of the request's error or of its only entry's, or `ok`.
    func outcome(of call: ShareCall, _ target: ShareTarget) async throws -> String {
        if call == .downloadOfMember, urlsOfMember[target] == nil { return "NOT_FOUND" }
        let reply = try await reply(to: call, target)
        let isDownload = call == .download || call == .downloadOfMember
        if isDownload, reply.status == 404, reply.json["serverErrorCode"] == .null { return "NOT_FOUND" }
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
        switch call {
        case .lookup: return try await send("records/lookup", ["records": [["recordName": name(of: target)]]])
        case .query: return try await send("records/query", ["query": ["recordType": "Note"]])
        case .zoneChanges: return try await send("changes/zone", ["zones": [["zoneID": story.zone]]])
        case .recordsChanges: return try await send("records/changes", [:])
        case .zonesChanges: return try await send("zones/changes", [:])
        case .databaseChanges: return try await send("changes/database", [:])
        case .zonesList: return try await send("zones/list", [:])
        case .zonesLookup: return try await send("zones/lookup", ["zones": [["zoneID": story.zone]]])
        case .zonesModify: return try await changeZone("create", ["zoneName": "New"])
        case .zonesDelete: return try await changeZone("delete", story.zone)
        case .resolve: return try await link("resolve")
        case .accept, .acceptAgain: return try await link("accept")
        case .requestAccess: return try await link("requestAccess")
        case .rereference, .download, .downloadOfMember, .upload:
            return try await replyAboutFile(call, target)
        case .usersCaller, .usersCurrent, .usersDiscover, .usersLookupID, .usersLookupEmail,
            .usersLookupContacts:
            return try await replyAboutPeople(call)
        case .tokensCreate, .tokensRegister, .notificationsChanges, .notificationsRead:
            return try await replyAboutDevice(call)
        case .subscribe, .subscribeToZone, .subscribeToQuery, .updateSubscription, .subscriptionsList,
            .subscriptionsLookup, .unsubscribe:
            return try await replyAboutSubscription(call)
        case .save, .createBelow, .createAlone, .setParent, .editShare, .shareAgain, .delete, .leave:
            return try await send("records/modify", ["operations": .array(changes(call, target))])
        }
    }

    private func name(of target: ShareTarget) -> JSON {
        .string(target == .share ? story.share : target.rawValue)
    }

    private func link(_ call: String) async throws -> Reply {
        let guids: [String: JSON] = ["shortGUIDs": [["value": .string(story.guid)]]]
        return try await send("records/\(call)", guids, in: "public")
    }

    private func changeZone(_ kind: String, _ zone: JSON) async throws -> Reply {
        let change: JSON = ["operationType": .string(kind), "zone": ["zoneID": zone]]
        return try await send("zones/modify", ["operations": [change]])
    }

    private func replyAboutFile(_ call: ShareCall, _ target: ShareTarget) async throws -> Reply {
        switch call {
        case .rereference:
            let source: JSON = ["recordName": .string(target.rawValue), "fieldName": "file"]
            return try await send("assets/rereference", ["assets": [source]])
        case .upload:
            let wish: JSON = [
                "recordName": .string(target.rawValue), "recordType": "Note", "fieldName": "file",
            ]
            return try await send("assets/upload", ["tokens": [wish]])
        default:
            // A caller who does not find the record has no URL. The result is then that of the look-up.
            var known = call == .download ? urls[target] : urlsOfMember[target]
            if known == nil { known = try await address(target) }
            guard let known else { return try await reply(to: .lookup, target) }
            return try await story.world.send("GET", known)
        }
    }

    private func replyAboutPeople(_ call: ShareCall) async throws -> Reply {
        let alice: JSON = ["userRecordName": .string(story.alice.recordName)]
        switch call {
        case .usersCurrent: return try await send("users/current", [:])
        case .usersDiscover: return try await send("users/discover", ["lookupInfos": [alice]])
        case .usersLookupID: return try await send("users/lookup/id", ["users": [alice]])
        case .usersLookupEmail:
            return try await send("users/lookup/email", ["users": [["emailAddress": "alice@example.org"]]])
        case .usersLookupContacts: return try await send("users/lookup/contacts", [:])
        default: return try await send("users/caller", [:])
        }
    }

    private func replyAboutDevice(_ call: ShareCall) async throws -> Reply {
        let (endpoint, body): (String, JSON) =
            switch call {
            case .tokensCreate: ("tokens/create", ["apnsEnvironment": "development", "clientId": "phone"])
            case .tokensRegister: ("tokens/register", ["apnsEnvironment": "development", "apnsToken": "a1"])
            case .notificationsRead: ("notifications/read", ["notificationIDs": []])
            default: ("notifications/changes", [:])
            }
        if role == .serverKey {
            return try await story.world.call(endpoint, body, key, pair, isForDevice: true)
        }
        return try await story.world.device(endpoint, body, as: person)
    }

    private func replyAboutSubscription(_ call: ShareCall) async throws -> Reply {
        switch call {
        case .subscriptionsList: return try await send("subscriptions/list", [:])
        case .subscriptionsLookup:
            return try await send(
                "subscriptions/lookup", ["subscriptions": [["subscriptionID": "changes"]]])
        case .unsubscribe: return try await changeSubscription("delete", "changes", [:])
        case .updateSubscription:
            return try await changeSubscription("update", "changes", ["subscriptionType": "database"])
        case .subscribeToZone:
            return try await changeSubscription(
                "create", "zone", ["subscriptionType": "zone", "zoneID": story.zone])
        case .subscribeToQuery:
            return try await changeSubscription(
                "create", "query",
                [
                    "subscriptionType": "query", "query": ["recordType": "Note"], "firesOn": ["create"],
                ])
        default: return try await changeSubscription("create", "changes", ["subscriptionType": "database"])
        }
    }

    private func changeSubscription(
        _ kind: String, _ id: String, _ subscription: [String: JSON]
    ) async throws -> Reply {
        let named = JSON.object(subscription.merging(["subscriptionID": .string(id)]) { $1 })
        let change: JSON = ["operationType": .string(kind), "subscription": named]
        return try await send("subscriptions/modify", ["operations": [change]])
    }

    // MARK: Saves

    private func changes(_ call: ShareCall, _ target: ShareTarget) -> [JSON] {
        // A new share is saved in one request with its root.
        call == .shareAgain ? [change(.save, target), change(call, target)] : [change(call, target)]
    }

    private func change(_ call: ShareCall, _ target: ShareTarget) -> JSON {
        let name = target.rawValue
        let below: [String: JSON] = ["parent": ["recordName": self.name(of: target)]]
        switch call {
        case .save: return operation("forceUpdate", name, type: "Note", ["title": text("x")])
        case .createBelow: return operation("create", "below-\(name)", type: "Note", [:], below)
        case .setParent: return operation("forceUpdate", "leaf", type: "Note", [:], below)
        case .createAlone: return create("alone", type: "Note")
        case .editShare:
            return operation(
                "forceUpdate", story.share, type: "cloudkit.share", ["cloudkit.title": text("Sea")])
        case .shareAgain:
            return operation(
                "create", "again", type: "cloudkit.share", [:], ["forRecord": ["recordName": .string(name)]])
        case .leave: return operation("forceDelete", story.share, type: "cloudkit.share")
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
