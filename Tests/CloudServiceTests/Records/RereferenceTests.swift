import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Rereferencing", .timeLimit(.minutes(30)))
struct RereferenceTests {
    private static func body(_ sources: [(String, String)]) -> JSON {
        ["assets": .array(sources.map { ["recordName": .string($0.0), "fieldName": .string($0.1)] })]
    }

    @Test("A file can be used in another record and field, and remains while either refers to it")
    func reuse() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let content = Array("used twice".utf8)
            let receipt = try await world.upload(content, record: "f1", as: alice)
            try await world.modify("public", [world.photo("f1", receipt)], as: alice)
            let again = try await world.call(
                "public/assets/rereference", Self.body([("f1", "file")]), as: alice
            )
            let asset = again.json["assets"][0]
            #expect(asset["fileChecksum"] == receipt["fileChecksum"])
            #expect(asset["size"] == receipt["size"])
            let cover = create("album", type: "Album", ["cover": ["value": asset, "type": "ASSETID"]])
            let saved = try await world.modify("public", [cover], as: alice)
            let place = try #require(saved.json["records"][0]["fields"]["cover"]["value"]["downloadURL"].text)
            #expect(world.contentFiles.count == 1)
            try await world.modify("public", [forceDelete("f1")], as: alice)
            #expect(try await world.send("GET", place).bytes == content)
            try await world.modify("public", [forceDelete("album")], as: alice)
            #expect(world.contentFiles == [])
            let late = create("late", type: "Album", ["cover": ["value": asset, "type": "ASSETID"]])
            let refused = try await world.modify("public", [late], as: alice)
            #expect(refused.records == ["BAD_REQUEST: bad upload receipt (did_not_validate)"])
        }
    }

    @Test("Each missing source has its own error")
    func errors() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload([1], record: "f1", as: alice)
            let photo = world.photo("f1", receipt, ["title": text("x")])
            try await world.modify("public", [photo], as: alice)
            let sources = [("f1", "file"), ("absent", "file"), ("f1", "title"), ("f1", "nothing")]
            let reply = try await world.call("public/assets/rereference", Self.body(sources), as: alice)
            let none = "BAD_REQUEST: the field holds no asset"
            #expect(reply.items("assets") == ["ok", "NOT_FOUND: Record not found", none, none])
            let anonymous = try await world.call("public/assets/rereference", Self.body([("f1", "file")]))
            #expect(anonymous.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
            let many = Self.body(Array(repeating: ("f1", "file"), count: 201))
            #expect(try await world.call("public/assets/rereference", many, as: alice).status == 400)
            let zone = Self.body([("f1", "file")]).with(["zoneID": ["zoneName": "No"]])
            let elsewhere = try await world.call("public/assets/rereference", zone, as: alice)
            #expect(elsewhere.failure == "404 ZONE_NOT_FOUND: Zone not found")
        }
    }

    @Test("The receipt of an upload is enough to put the file into its field")
    func receiptAlone() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(Array("abc".utf8), record: "f1", as: alice)
            let photo = world.photo("f1", ["receipt": receipt["receipt"]])
            let saved = try await world.modify("public", [photo], as: alice)
            let value = saved.json["records"][0]["fields"]["file"]["value"]
            #expect(value["fileChecksum"] == receipt["fileChecksum"])
            #expect(value["size"] == 3)
        }
    }
}
