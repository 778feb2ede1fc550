import Testing

@testable import TestKit

/// Alice shares a note with Bob; another note of the zone is not shared. Or she shares the whole zone.
struct SharingStory {
    var alice: Person
    var bob: Person
    var carol: Person
    var guid: String
    /// The record name of the share.
    var share = "s"
    let world: ServerWorld

    /// The zone's ID as other people send it.
    var zone: JSON { ["zoneName": "Notes", "ownerRecordName": .string(alice.recordName)] }

    static func begin(
        _ world: ServerWorld, _ permission: String = "READ_WRITE", wholeZone: Bool = false
    ) async throws -> SharingStory {
        let alice = try await world.signIn("alice")
        let bob = try await world.signIn("bob")
        let carol = try await world.signIn("carol")
        try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
        let name = wholeZone ? "cloudkit.zoneshare" : "s"
        var terms: [String: JSON] = [
            "publicPermission": "NONE",
            "participants": [
                [
                    "permission": .string(permission),
                    "userIdentity": ["userRecordName": .string(bob.recordName)],
                ]
            ],
        ]
        if !wholeZone { terms["forRecord"] = ["recordName": "note"] }
        let share = operation(
            "create", name, type: "cloudkit.share", ["cloudkit.title": text("Alps")], terms)
        let saved = try await world.modify(
            "private",
            [
                create("note", type: "Note", ["title": text("Alps")]), share,
                create("secret", type: "Note", ["title": text("hidden")]),
            ], zone: "Notes", as: alice)
        #expect(saved.records == ["ok", "ok", "ok"])
        if !wholeZone { #expect(saved.json["records"][0]["share"] == ["recordName": "s"]) }
        let guid = try #require(saved.json["records"][1]["shortGUID"].text)
        return SharingStory(alice: alice, bob: bob, carol: carol, guid: guid, share: name, world: world)
    }

    /// Calls `records/resolve` or `records/accept`. Returns the entry of the only result.
    func link(_ call: String, as person: Person, _ guid: String? = nil) async throws -> JSON {
        let item: JSON = ["value": .string(guid ?? self.guid), "shouldFetchRootRecord": true]
        let body: JSON = ["shortGUIDs": [item]]
        return try await world.call("public/records/\(call)", body, as: person).json["results"][0]
    }

    /// Calls an endpoint of the shared database for the zone.
    func shared(_ call: String, _ body: [String: JSON], as person: Person) async throws -> Reply {
        try await world.call(
            "shared/\(call)", .object(body.merging(["zoneID": zone]) { $1 }), as: person)
    }

    func look(_ names: [String], as person: Person) async throws -> [String] {
        let records = names.map { ["recordName": .string($0)] as JSON }
        return try await shared("records/lookup", ["records": .array(records)], as: person).records
    }

    func save(_ operations: [JSON], as person: Person) async throws -> Reply {
        try await shared("records/modify", ["operations": .array(operations)], as: person)
    }
}
