import Testing

@testable import ServerKit
@testable import TestKit

@Suite("De-duplication of uploads", .timeLimit(.minutes(30)))
struct DeduplicationTests {
    private static let content = Array("the same photo".utf8)

    /// Requests an upload URL with the content's checksum and size. Returns the asset of the answer.
    private static func ask(
        _ asset: JSON, record: String = "f2", field: JSON = "file", in database: String = "public",
        _ world: ServerWorld, as person: Person
    ) async throws -> JSON {
        let token: JSON = [
            "recordName": .string(record), "recordType": "Photo", "fieldName": field,
            "fileChecksum": asset["fileChecksum"], "size": asset["size"],
        ]
        let reply = try await world.call("\(database)/assets/upload", ["tokens": [token]], as: person)
        #expect(reply.json["tokens"][0]["url"].text != nil)
        return reply.json["tokens"][0]["singleFile"]
    }

    /// Saves a record with the content, uploaded by that person.
    private static func saved(
        _ world: ServerWorld, as person: Person, in database: String = "public"
    ) async throws -> JSON {
        let receipt = try await world.upload(content, record: "f1", database: database, as: person)
        let batch = batch([world.photo("f1", receipt)])
        #expect(try await world.call("\(database)/records/modify", batch, as: person).records == ["ok"])
        return receipt
    }

    @Test(
        "A caller who owns the content gets a receipt at once, with which the record has the file",
        arguments: ["public", "private"])
    func known(database: String) async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let first = try await Self.saved(world, as: alice, in: database)
            let known = try await Self.ask(first, in: database, world, as: alice)
            #expect(known.keys == ["fileChecksum", "receipt", "size"])
            #expect(known["fileChecksum"] == first["fileChecksum"])
            let save = batch([world.photo("f2", known)])
            let reply = try await world.call("\(database)/records/modify", save, as: alice)
            let value = reply.json["records"][0]["fields"]["file"]["value"]
            #expect(
                try await world.send("GET", try #require(value["downloadURL"].text)).bytes == Self.content)
            #expect(world.contentFiles.count == 1)
            #expect(world.incomingFiles == [])
        }
    }

    @Test("The content of other people is treated as missing")
    func privacy() async throws {
        try await serving { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let first = try await Self.saved(world, as: alice)
            #expect(try await Self.ask(first, world, as: bob) == .null)
            #expect(try await Self.ask(first, in: "private", world, as: bob) == .null)
            #expect(try await Self.ask(first, in: "private", world, as: alice) == .null)
            #expect(try await Self.ask(first.with(["size": 3]), world, as: alice) == .null)
            #expect(try await Self.ask(first.with(["fileChecksum": "AQ=="]), world, as: alice) == .null)
            #expect(try await Self.ask(["fileChecksum": first["fileChecksum"]], world, as: alice) == .null)
            #expect(world.incomingFiles == [])
        }
    }

    @Test("A receipt without an upload is valid for its field only, even after the original is deleted")
    func receipt() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let first = try await Self.saved(world, as: alice)
            let known = try await Self.ask(first, world, as: alice)
            try await world.modify("public", [forceDelete("f1")], as: alice)
            #expect(try await Self.ask(first, world, as: alice) == .null)
            let other = create("f2", type: "Photo", ["other": ["value": known, "type": "ASSETID"]])
            let refused = try await world.modify("public", [other], as: alice)
            #expect(refused.records == ["BAD_REQUEST: bad upload receipt (did_not_validate)"])
            let save = batch([world.photo("f2", known)])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            #expect(world.contentFiles.count == 1)
        }
    }

    @Test("An asset that is written again without a receipt keeps its true size")
    func size() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let first = try await Self.saved(world, as: alice)
            let again: JSON = [
                "value": ["fileChecksum": first["fileChecksum"], "size": 999], "type": "ASSETID",
            ]
            let save = batch([operation("forceUpdate", "f1", type: "Photo", ["file": again])])
            let reply = try await world.call("public/records/modify", save, as: alice)
            #expect(reply.json["records"][0]["fields"]["file"]["value"]["size"] == first["size"])
        }
    }
}
