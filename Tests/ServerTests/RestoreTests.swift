// Owns the proof that a restored server gives nothing out a second time, and that its folders outlive a power
// cut.

import AssetStore
import CloudletServer
import Foundation
import RecordsWire
import Testing

@Suite("Restored data", .timeLimit(.minutes(2)))
struct RestoreTests {
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("restore-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// - Parameter seed: Chance does not repeat itself in the next life of a server.
    private func serve(_ data: URL, seed: UInt64 = 1) async throws -> ServerWorld {
        try await ServerWorld.start(.loopback) { ($0.storage, $0.seed) = (.folder(data), seed) }
    }

    private func tag(_ reply: Reply) throws -> String {
        try #require(reply.json["records"][0]["recordChangeTag"].text, "\(reply.text)")
    }

    private func feed(_ world: ServerWorld, _ token: JSON, as person: Person) async throws -> Reply {
        try await world.call(
            "private/changes/zone",
            ["zones": [["zoneID": ["zoneName": "Z"], "syncToken": token]]], as: person)
    }

    @Test("Older tokens start over, change tags never come again, and everybody is signed out")
    func epoch() async throws {
        try await withFolder { folder in
            let first = try await serve(folder.appendingPathComponent("0"))
            var alice = try await first.signIn("alice")
            try await first.call("private/zones/modify", zones(create: ["Z"]), as: alice)
            for name in ["a", "b"] {
                try await first.call("private/records/modify", batch([create(name)], zone: "Z"), as: alice)
            }
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: first.server.dataFolder, at: backup)
            var tags: Set<String> = []
            for number in 0..<5 {
                let saved = try await first.call(
                    "private/records/modify", batch([create("lost\(number)")], zone: "Z"), as: alice)
                tags.insert(try tag(saved))
            }
            #expect(tags.count == 5)
            let seen = try await feed(first, .null, as: alice).json["zones"][0]["syncToken"]
            let zonesSeen = try await first.call("private/changes/database", as: alice).json["syncToken"]
            await first.stop()
            // The same backup is restored twice.
            for life in 1...2 {
                let data = folder.appendingPathComponent("\(life)")
                try DataBackup.restore(backup, to: data)
                let again = try await serve(data, seed: UInt64(life) + 1)
                let ended = try await again.call("private/records/lookup", names("a"), as: alice)
                #expect(ended.failure == "421 AUTHENTICATION_REQUIRED: the session has ended")
                alice = try await again.signIn("alice")
                // More changes than were lost, so that the count passes the one that the token holds.
                for number in 0..<8 {
                    let saved = try await again.call(
                        "private/records/modify", batch([create("new\(number)")], zone: "Z"), as: alice)
                    #expect(tags.insert(try tag(saved)).inserted)
                }
                let expired = "BAD_REQUEST: client knowledge differs from server knowledge"
                #expect(try await feed(again, seen, as: alice).items("zones") == [expired])
                let database = try await again.call(
                    "private/changes/database", ["syncToken": zonesSeen], as: alice)
                #expect(database.failure == "400 " + expired)
                let all = try await feed(again, .null, as: alice).json["zones"][0]
                #expect(all["records"].elements.count == 10)
                // A database that no backup holds counts far from one of its name that was lost.
                let bob = try await again.signIn("bob")
                let saved = try await again.call("private/records/modify", batch([create("x")]), as: bob)
                #expect(tags.insert(try tag(saved)).inserted)
                await again.stop()
            }
        }
    }

    @Test("A container that was deleted and made again gives no change tag out a second time")
    func replaced() async throws {
        try await withFolder { folder in
            let world = try await serve(folder.appendingPathComponent("0"))
            let alice = try await world.signIn("alice")
            let before = try tag(
                try await world.call("private/records/modify", batch([create("a")]), as: alice))
            let collection = try await world.device("notifications/changes", as: alice).json["syncToken"]
            #expect(
                try await world.operate("POST", "containers/iCloud.test/development/schema/reset").status
                    == 200)
            let after = try tag(
                try await world.call("private/records/modify", batch([create("a")]), as: alice))
            #expect(before == "1" && after != before)
            let later = try await world.device("notifications/changes", ["syncToken": collection], as: alice)
            #expect(later.status == 200 || later.failure.contains("client knowledge differs"))
            await world.stop()
        }
    }

    @Test(
        "All folders of a server are for its owner's eyes only, those of backups and restores too"
    )
    func modes() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("new/data")
            let world = try await serve(data)
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(
                Array("photo".utf8), record: "p", database: "private", as: alice)
            let saved = try await world.call(
                "private/records/modify", batch([world.photo("p", receipt)]), as: alice)
            #expect(saved.records == ["ok"])
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: data, at: backup)
            await world.stop()
            let again = folder.appendingPathComponent("again")
            try DataBackup.restore(backup, to: again)
            for root in [data, backup, again] {
                let paths =
                    FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
                var folders = 0
                for path in [""] + paths {
                    let attributes = try FileManager.default.attributesOfItem(atPath: root.path + "/" + path)
                    guard attributes[.type] as? FileAttributeType == .typeDirectory else { continue }
                    folders += 1
                    #expect(attributes[.posixPermissions] as? Int == 0o700, "\(root.path)/\(path)")
                }
                #expect(folders >= 8)
            }
        }
    }

    @Test("Folders are made with those above them, and not where something else has the name")
    func folders() async throws {
        try await withFolder { folder in
            let deep = folder.appendingPathComponent("a/b/c")
            try DurableFiles.makeFolder(deep)
            try DurableFiles.makeFolder(deep)
            try DurableFiles.flush(deep, upTo: folder)
            let file = deep.appendingPathComponent("f")
            for text in ["one", "another"] {
                try DurableFiles.write(text, to: file)
                #expect(try String(contentsOf: file, encoding: .utf8) == text)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: deep.path) == ["f"])
            #expect(throws: (any Error).self) {
                try DurableFiles.makeFolder(file.appendingPathComponent("d"))
            }
            #expect(throws: (any Error).self) { try DurableFiles.makeFolder(file) }
        }
    }
}
