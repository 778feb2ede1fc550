import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Fields of the type ENCRYPTED_BYTES", .timeLimit(.minutes(30)))
struct EncryptedBytesTests {
    private static let note: JSON = ["value": "AAEC/w==", "type": "ENCRYPTED_BYTES"]

    @Test("Every kind of read returns the type and the value that were saved")
    func spelling() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let flagged: JSON = ["value": "AAEC/w==", "type": "BYTES", "isEncrypted": true]
            let fields: JSON = ["textEncrypted": Self.note, "other": flagged]
            let save = batch([create("n", type: "Note", fields)], zone: "Notes")
            let saved = try await world.call("private/records/modify", save, as: alice)
            #expect(saved.json["records"][0]["fields"] == fields)
            let found = try await world.call("private/records/lookup", names("n", zone: "Notes"), as: alice)
            #expect(found.json["records"][0]["fields"] == fields)
            let query: JSON = [
                "query": ["recordType": "Note"], "zoneID": ["zoneName": "Notes"],
                "desiredKeys": ["textEncrypted"],
            ]
            let queried = try await world.call("private/records/query", query, as: alice)
            #expect(queried.json["records"][0]["fields"] == ["textEncrypted": Self.note])
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]]]
            let changes = try await world.call("private/changes/zone", feed, as: alice)
            #expect(changes.json["zones"][0]["records"][0]["fields"] == fields)
            // Both are encrypted bytes in the schema, so a later save may use either.
            let turned: JSON = ["textEncrypted": flagged, "other": Self.note]
            let update = batch([operation("forceUpdate", "n", type: "Note", turned)], zone: "Notes")
            let updated = try await world.call("private/records/modify", update, as: alice)
            #expect(updated.json["records"][0]["fields"] == turned)
            #expect(try await world.exported().contains("ENCRYPTED BYTES"))
        }
    }

    @Test("The type is refused wherever encrypted fields are, and for values that are not bytes")
    func refused() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let save = batch([create("n", type: "Note", ["textEncrypted": Self.note])])
            let reply = try await world.call("public/records/modify", save, as: alice)
            #expect(
                reply.records == ["BAD_REQUEST: encrypted fields are not supported in the public database"])
            let number: JSON = ["value": 5, "type": "ENCRYPTED_BYTES"]
            let wrong = batch([create("n", type: "Note", ["textEncrypted": number])])
            #expect(try await world.call("private/records/modify", wrong, as: alice).status == 400)
        }
    }
}
