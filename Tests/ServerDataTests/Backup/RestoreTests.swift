import AssetStore
import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Restored data", .timeLimit(.minutes(30)))
struct RestoreTests {
    /// - Parameter seed: the seed of the server's random numbers; a restarted server needs another one.
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

    /// Creates records one by one, and returns their change tags.
    private func save(
        _ names: [String], in zone: String? = "Z", _ world: ServerWorld, as person: Person
    ) async throws -> [String] {
        var tags: [String] = []
        for name in names {
            let body = batch([create(name)], zone: zone)
            tags.append(try tag(try await world.call("private/records/modify", body, as: person)))
        }
        return tags
    }

    @Test("After a restore, older tokens expire, change tags are new, and everybody is signed out")
    func epoch() async throws {
        try await withFolder { folder in
            let first = try await serve(folder.appendingPathComponent("0"))
            let alice = try await first.signIn("alice")
            try await first.call("private/zones/modify", zones(create: ["Z"]), as: alice)
            _ = try await save(["a", "b"], first, as: alice)
            let backup = folder.appendingPathComponent("backup")
            try DataBackup.make(of: first.server.dataFolder, at: backup)
            var tags = Set(try await save((0..<5).map { "lost\($0)" }, first, as: alice))
            #expect(tags.count == 5)
            let seen = try await feed(first, .null, as: alice).json["zones"][0]["syncToken"]
            let zonesSeen = try await first.call("private/changes/database", as: alice).json["syncToken"]
            await first.stop()
            // The same backup is restored twice.
            for attempt in 1...2 {
                let data = folder.appendingPathComponent("\(attempt)")
                try DataBackup.restore(backup, to: data)
                let world = try await serve(data, seed: UInt64(attempt) + 1)
                let ended = try await world.lookup("private", "a", as: alice)
                #expect(ended.failure == "421 AUTHENTICATION_REQUIRED: the session has ended")
                tags = try await expectNewEpoch(world, beyond: tags, seen, zonesSeen)
                await world.stop()
            }
        }
    }

    /// Makes more changes than were lost, so that the number of changes exceeds that in the token.
    private func expectNewEpoch(
        _ world: ServerWorld, beyond tags: Set<String>, _ seen: JSON, _ zonesSeen: JSON
    ) async throws -> Set<String> {
        let alice = try await world.signIn("alice")
        var new = try await save((0..<8).map { "new\($0)" }, world, as: alice)
        let expired = "BAD_REQUEST: client knowledge differs from server knowledge"
        #expect(try await feed(world, seen, as: alice).items("zones") == [expired])
        let database = try await world.call(
            "private/changes/database", ["syncToken": zonesSeen], as: alice)
        #expect(database.failure == "400 " + expired)
        let all = try await feed(world, .null, as: alice).json["zones"][0]
        #expect(all["records"].elements.count == 10)
        // A database that the backup lacks starts its numbers far above those of a lost one with the same
        // name.
        new += try await save(["x"], in: nil, world, as: try await world.signIn("bob"))
        #expect(Set(new).count == 9)
        #expect(tags.isDisjoint(with: new))
        return tags.union(new)
    }

    @Test("A container that is deleted and created again assigns no change tag a second time")
    func replaced() async throws {
        try await withFolder { folder in
            let world = try await serve(folder.appendingPathComponent("0"))
            let alice = try await world.signIn("alice")
            let before = try tag(
                try await world.modify("private", [create("a")], as: alice))
            let collection = try await world.device("notifications/changes", as: alice).json["syncToken"]
            #expect(
                try await world.operate("POST", "containers/iCloud.test/development/schema/reset").status
                    == 200)
            let after = try tag(
                try await world.modify("private", [create("a")], as: alice))
            #expect(before == "1" && after != before)
            let later = try await world.device("notifications/changes", ["syncToken": collection], as: alice)
            #expect(later.status == 200 || later.failure.contains("client knowledge differs"))
            await world.stop()
        }
    }

    @Test("An empty database file begins with a new change tag after a restore")
    func emptyFile() async throws {
        try await withFolder { folder in
            let world = try await serve(folder.appendingPathComponent("0"))
            let alice = try await world.signIn("alice")
            let before = try tag(try await world.modify("private", [create("a")], as: alice))
            #expect(before == "1")
            let reset = try await world.operate("POST", "containers/iCloud.test/development/schema/reset")
            #expect(reset.status == 200)
            let place = world.server.dataFolder.appendingPathComponent(
                "containers/iCloud.test/development/private")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data().write(to: place.appendingPathComponent(alice.recordName + ".sqlite"))
            let after = try tag(try await world.modify("private", [create("a")], as: alice))
            #expect(after != before)
            await world.stop()
        }
    }

    @Test(
        "Only the owner can read the folders of a server, of a backup and of a restored server"
    )
    func modes() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("new/data")
            let world = try await serve(data)
            let alice = try await world.signIn("alice")
            let receipt = try await world.upload(
                Array("photo".utf8), record: "p", database: "private", as: alice)
            let saved = try await world.modify("private", [world.photo("p", receipt)], as: alice)
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

    @Test("Folders are created with their parents, and not in place of a file")
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
