import CloudletServer
import Logging
import Records
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Files of shared records", .timeLimit(.minutes(30)))
struct SharedFileTests {
    private static let tokens: [String: JSON] = [
        "tokens": [["recordName": "line", "recordType": "Note", "fieldName": "file"]]
    ]

    /// Saves a file below the shared root as Bob. Returns the download URL that Bob receives.
    private static func savedFile(_ story: SharingStory) async throws -> String {
        let place = try await story.shared("assets/upload", tokens, as: story.bob)
        let address = try #require(place.json["tokens"][0]["url"].text)
        let sent = try await story.world.send("POST", address, body: Array("hello".utf8))
        let file: JSON = ["value": sent.json["singleFile"], "type": "ASSETID"]
        let line = operation(
            "create", "line", type: "Note", ["file": file], ["parent": ["recordName": "note"]])
        #expect(try await story.save([line], as: story.bob).records == ["ok"])
        let reply = try await story.shared("records/lookup", ["records": ["line"]], as: story.bob)
        return try #require(reply.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
    }

    @Test("A save without a receipt does not reveal whether a hidden record has the file")
    func hiddenFile() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            _ = try await Self.savedFile(story)
            let line = try await world.lookup("private", "line", zone: "Notes", as: story.alice)
            let known = line.json["records"][0]["fields"]["file"]["value"]["fileChecksum"]
            let size = line.json["records"][0]["fields"]["file"]["value"]["size"]
            let hide = operation("forceUpdate", "line", type: "Note", [:], ["parent": .null])
            let hidden = try await world.modify("private", [hide], zone: "Notes", as: story.alice)
            #expect(hidden.records == ["ok"])
            let place = try await story.shared("assets/upload", Self.tokens, as: story.bob)
            let address = try #require(place.json["tokens"][0]["url"].text)
            let other = try await world.send("POST", address, body: Array("other".utf8))
            let foreign = other.json["singleFile"]["fileChecksum"]
            func save(_ checksum: JSON) async throws -> [String] {
                let value: JSON = ["fileChecksum": checksum, "size": size]
                let change = operation(
                    "forceUpdate", "line", type: "Note", ["file": ["value": value, "type": "ASSETID"]])
                return try await story.save([change], as: story.bob).records
            }
            let right = try await save(known)
            #expect(right[0].hasPrefix("ACCESS_DENIED"))
            #expect(try await save(foreign) == right)

            // The offer of a receipt for the file would reveal it, too.
            var wish = Self.tokens["tokens"]?[0] ?? .null
            wish = wish.with(["fileChecksum": known, "size": size])
            let offer = try await story.shared("assets/upload", ["tokens": [wish]], as: story.bob)
            #expect(offer.json["tokens"][0]["url"].text != nil)
            #expect(offer.json["tokens"][0]["singleFile"] == .null)
            let show = operation(
                "forceUpdate", "line", type: "Note", [:], ["parent": ["recordName": "note"]])
            let shown = try await world.modify("private", [show], zone: "Notes", as: story.alice)
            #expect(shown.records == ["ok"])
            let again = try await story.shared("assets/upload", ["tokens": [wish]], as: story.bob)
            #expect(again.json["tokens"][0]["singleFile"]["fileChecksum"] == known)
        }
    }

    @Test("A participant's file counts for the owner, whose nearly full database is logged")
    func quota() async throws {
        let notebook = LogRecorder()
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            var quota = QuotaRules()
            quota.personBytes = 24_000
            $0.limits.quota = quota
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
        }
        try await withServer(.loopback, configure) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            func save(_ name: String, bytes: Int) async throws -> Reply {
                let wish: JSON = ["recordName": .string(name), "recordType": "Note", "fieldName": "file"]
                let place = try await story.shared("assets/upload", ["tokens": [wish]], as: story.bob)
                let address = try #require(place.json["tokens"][0]["url"].text)
                let sent = try await world.send("POST", address, body: Array(repeating: 1, count: bytes))
                let file: JSON = ["value": sent.json["singleFile"], "type": "ASSETID"]
                let line = operation(
                    "create", name, type: "Note", ["file": file], ["parent": ["recordName": "note"]])
                return try await story.save([line], as: story.bob)
            }
            let saved = try await save("line", bytes: 17_000)
            #expect(saved.records == ["ok"])
            // A participant must not learn how full the owner's database is.
            #expect(saved.headers["X-Cloudlet-Quota"] == nil)
            let warnings = notebook.lines.withLock { $0 }.filter { $0.hasPrefix("a database is nearly full") }
            #expect(warnings.count == 1)
            #expect(warnings.first?.contains(story.alice.recordName) == true)
            let own = try await world.modify("private", [create("own")], as: story.bob)
            #expect(own.records == ["ok"])
        }
    }

    @Test("A participant who may only read gets no ticket for an upload")
    func readOnly() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world, "READ_ONLY")
            _ = try await story.link("accept", as: story.bob)
            let refused = try await story.shared("assets/upload", Self.tokens, as: story.bob)
            #expect(refused.failure.hasSuffix("WRITE operation not permitted"))
        }
    }

    @Test(
        "The URL of a shared file ends when its participant leaves, is removed, or the share stops",
        arguments: ["leave", "remove", "stop"])
    func ends(way: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let url = try await Self.savedFile(story)
            #expect(try await world.send("GET", url).text == "hello")
            switch way {
            case "leave": _ = try await story.save([forceDelete("s")], as: story.bob)
            case "stop":
                try await world.modify("private", [forceDelete("s")], zone: "Notes", as: story.alice)
            default:
                let nobody = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": []])
                try await world.modify("private", [nobody], zone: "Notes", as: story.alice)
            }
            let missing = try await world.send("GET", url)
            #expect(missing.status == 404)
            let own = try await world.lookup("private", "line", zone: "Notes", as: story.alice)
            let address = own.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text
            #expect(try await world.send("GET", try #require(address)).text == "hello")
        }
    }

    @Test(
        "The URL of a file ends when its record leaves the share, while another share goes on"
    )
    func oneOfTwo() async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let second = operation(
                "create", "t", type: "cloudkit.share", [:],
                ["forRecord": ["recordName": "two"], "publicPermission": "READ_WRITE"])
            let saved = try await world.modify(
                "private", [create("two", type: "Note"), second], zone: "Notes", as: story.alice)
            _ = try await story.link("accept", as: story.bob, saved.json["records"][1]["shortGUID"].text)
            let url = try await Self.savedFile(story)
            #expect(try await world.send("GET", url).text == "hello")
            func move(_ parent: String) async throws {
                let move = operation(
                    "forceUpdate", "line", type: "Note", [:], ["parent": ["recordName": .string(parent)]])
                let moved = try await world.modify("private", [move], zone: "Notes", as: story.alice)
                #expect(moved.records == ["ok"])
            }
            try await move("secret")
            #expect(try await world.send("GET", url).status == 404)
            try await move("two")
            #expect(try await world.send("GET", url).text == "hello")
            try await move("note")
            #expect(try await story.save([forceDelete("s")], as: story.bob).status == 200)
            #expect(try await story.look(["two"], as: story.bob) == ["ok"])
            #expect(try await world.send("GET", url).status == 404)
        }
    }

    @Test(
        "A ticket for an upload ends with the permission to write",
        arguments: ["leave", "remove", "stop", "read"])
    func ticketEnds(way: String) async throws {
        try await withServer(.loopback) { world in
            let story = try await SharingStory.begin(world)
            _ = try await story.link("accept", as: story.bob)
            let place = try await story.shared("assets/upload", Self.tokens, as: story.bob)
            let address = try #require(place.json["tokens"][0]["url"].text)
            var people: [JSON] = []
            if way == "read" {
                people = [
                    [
                        "permission": "READ_ONLY",
                        "userIdentity": ["userRecordName": .string(story.bob.recordName)],
                    ]
                ]
            }
            switch way {
            case "leave": _ = try await story.save([forceDelete("s")], as: story.bob)
            case "stop":
                try await world.modify("private", [forceDelete("s")], zone: "Notes", as: story.alice)
            default:
                let change = operation(
                    "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": .array(people)])
                try await world.modify("private", [change], zone: "Notes", as: story.alice)
            }
            let sent = try await world.send("POST", address, body: Array("hello".utf8))
            #expect(sent.status == (way == "read" ? 403 : 404))
            #expect(world.contentFiles == [])
        }
    }
}
