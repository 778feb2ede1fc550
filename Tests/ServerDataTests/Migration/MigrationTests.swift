import CloudService
import CloudletServer
import DataRows
import Foundation
import RecordStore
import RecordsWire
import Synchronization
import Testing

@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("Moving data between kinds of storage", .timeLimit(.minutes(30)))
struct MigrationTests {
    private let container = "iCloud.test"

    /// Runs a test with the folder of a server that was stopped.
    private func withStoppedServer(
        _ body: (_ folder: URL, _ data: URL, _ alice: Person, _ token: String) async throws -> Void
    ) async throws {
        try await withData { folder, world, alice in
            _ = try await world.call("private/zones/modify", newZone, as: alice)
            _ = try await world.call(
                "private/records/modify", batch([create("z1"), create("z2")], zone: "Z"), as: alice)
            let feed = try await changes(of: world, after: nil, as: alice)
            #expect(feed.names == ["z1", "z2"])
            _ = try await world.call(
                "private/records/modify", batch([forceDelete("z1")], zone: "Z"), as: alice)
            await world.stop()
            try await body(
                folder, folder.appendingPathComponent("data"), alice, try #require(feed.token))
        }
    }

    private let newZone: JSON = [
        "operations": [["operationType": "create", "zone": ["zoneID": ["zoneName": "Z"]]]]
    ]

    private func changes(
        of world: ServerWorld, after token: String?, as person: Person
    ) async throws -> (names: [String], token: String?) {
        var zone: [String: JSON] = ["zoneID": ["zoneName": "Z"]]
        if let token { zone["syncToken"] = .string(token) }
        let reply = try await world.call(
            "private/changes/zone", ["zones": .array([.object(zone)])], as: person)
        let page = reply.json["zones"][0]
        return (page["records"].elements.compactMap { $0["recordName"].text }, page["syncToken"].text)
    }

    /// Checks that a device goes on with the data in a folder as if nothing had happened.
    private func checkDevice(_ folder: URL, _ alice: Person, _ token: String) async throws {
        #expect(findings(folder, deep: true) == [])
        let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(folder) }
        // Signed in as before; the change token leads to what was changed since.
        #expect(try await changes(of: world, after: token, as: alice).names == ["z1"])
        for (database, name) in [("public", "p1"), ("private", "q2")] {
            let found = try await world.call("\(database)/records/lookup", names(name), as: alice)
            #expect(found.records == ["ok"])
            let address = try #require(
                found.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            #expect(try await world.send("GET", address).text == "content of \(name)")
        }
        let query: JSON = [
            "query": [
                "recordType": "Photo",
                "filterBy": [["fieldName": "title", "comparator": "EQUALS", "fieldValue": text("p3")]],
            ]
        ]
        let found = try await world.call("public/records/query", query, as: alice)
        #expect(found.json["records"].elements.map { $0["recordName"].text } == ["p3"])
        let saved = try await world.modify("public", [create("later")], as: alice)
        #expect(saved.records == ["ok"])
        await world.stop()
    }

    @Test("A server goes on with a copy of its data, and its devices notice nothing")
    func folders() async throws {
        try await withStoppedServer { folder, data, alice, token in
            let again = folder.appendingPathComponent("again")
            let report = try await DataMigration.run(
                from: .folder(data, assets: nil), to: .folder(again, assets: nil))
            #expect((report.databases, report.files, report.missing) == (2, 6, []))
            try await checkDevice(again, alice, token)
        }
    }

    @Test("Data go to an engine and an object store, and come back the same")
    func thereAndBack() async throws {
        try await withStoppedServer { folder, data, alice, token in
            let engine = EngineOfRows()
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            let source = try FolderPlace(from: data, assetEngine: nil)
            let there = try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            await source.close()
            let bound = try #require(try await engine.bind(to: nil))
            #expect(bound.hasDirectory)
            #expect(try await bucket.bind(to: nil) == bound.identifier)
            #expect(engine.names(beginningWith: "").count == 2)

            let again = folder.appendingPathComponent("again")
            let target = try FolderPlace(to: again)
            let back = try await DataMigration.run(from: engine.place(assets: bucket), to: target)
            await target.close()
            #expect(back == there)
            try await checkDevice(again, alice, token)
        }
    }

    @Test("A move to an object store marks the accounts, so that no node starts without one")
    func objectStoreMark() async throws {
        try await withStoppedServer { folder, data, _, _ in
            let engine = EngineOfRows()
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            let source = try FolderPlace(from: data, assetEngine: nil)
            _ = try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            await source.close()
            let bound = try #require(try await engine.bind(to: nil))
            let isMarked = try await engine.accounts.hasObjectStoreMark(of: bound.identifier)
            #expect(isMarked)
        }
    }

    @Test("A move of data without files to an engine alone leaves no mark of an object store")
    func noObjectStoreMark() async throws {
        try await withFolder { folder in
            let data = folder.appendingPathComponent("data")
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            _ = try await world.signIn("bob")
            await world.stop()
            let engine = EngineOfRows()
            let source = try FolderPlace(from: data, assetEngine: nil)
            _ = try await DataMigration.run(from: source, to: engine.place())
            await source.close()
            let bound = try #require(try await engine.bind(to: nil))
            let isMarked = try await engine.accounts.hasObjectStoreMark(of: bound.identifier)
            #expect(!isMarked)
        }
    }

    @Test("A copy that was stopped is refused by a server, and completed by the same command")
    func stopped() async throws {
        try await withStoppedServer { folder, data, alice, token in
            let again = folder.appendingPathComponent("again")
            let key = DatabaseKey(
                container: container, environment: .development, owner: alice.recordName)
            try await copy(data, to: again) { StumblingPlace($0, at: key) }
            let error = await #expect(throws: ServerError.self) {
                _ = try await ServerWorld.start(.loopback) { $0.storage = .folder(again) }
            }
            #expect(error?.reason.contains("unfinished copy") == true)
            #expect(throws: ServerError.self) {
                try DataBackup.make(of: again, at: folder.appendingPathComponent("backup"))
            }
            // The server ran once more in between: what was copied is out of date.
            let world = try await ServerWorld.start(.loopback) { $0.storage = .folder(data) }
            _ = try await world.modify("public", [create("meanwhile")], as: alice)
            await world.stop()
            let steps = try await copy(data, to: again) { $0 }
            #expect(steps == ["directory": false, "\(container)/development/": false, key.text: false])
            try await checkDevice(again, alice, token)
        }
    }

    @Test("What a stopped copy has copied is compared and kept")
    func kept() async throws {
        try await withStoppedServer { folder, data, alice, token in
            let again = folder.appendingPathComponent("again")
            let key = DatabaseKey(
                container: container, environment: .development, owner: alice.recordName)
            try await copy(data, to: again) { StumblingPlace($0, at: key) }
            let steps = try await copy(data, to: again) { $0 }
            #expect(steps == ["directory": true, "\(container)/development/": true, key.text: false])
            try await checkDevice(again, alice, token)
        }
    }

    /// Copies a folder, and returns for each database whether an earlier copy had copied it. An error of the
    /// source is expected if it stumbles.
    @discardableResult
    private func copy(
        _ data: URL, to target: URL, _ wrap: (any DataPlace) -> any DataPlace
    ) async throws -> [String: Bool] {
        let (source, target) = (try FolderPlace(from: data, assetEngine: nil), try FolderPlace(to: target))
        let steps = Mutex<[String: Bool]>([:])
        do {
            _ = try await DataMigration.run(from: wrap(source), to: target) { step in
                guard case .copied(let copied) = step else { return }
                steps.withLock { $0[copied.database] = copied.wasThere }
            }
        } catch is CancellationError {
        } catch {
            await source.close()
            await target.close()
            throw error
        }
        await source.close()
        await target.close()
        return steps.withLock { $0 }
    }

    @Test("Places in use, other data and incomplete data are refused, and stay as they are")
    func refusals() async throws {
        try await withData { folder, world, alice in
            let data = folder.appendingPathComponent("data")
            let new = folder.appendingPathComponent("new")
            func refusal(_ source: URL, _ target: URL) async -> String? {
                let error = await #expect(throws: ServerError.self) {
                    try await DataMigration.run(
                        from: .folder(source, assets: nil), to: .folder(target, assets: nil))
                }
                return error?.description
            }
            #expect(await refusal(data, new)?.contains("a running server cannot be moved") == true)
            await world.stop()
            let other = folder.appendingPathComponent("other")
            let stranger = try await ServerWorld.start(.loopback) {
                $0.storage = .folder(other)
                // Its secrets are others.
                $0.seed = 2
            }
            _ = try await stranger.signIn("bob")
            await stranger.stop()
            #expect(await refusal(data, other)?.contains("has data already") == true)
            #expect(
                await refusal(folder.appendingPathComponent("none"), new)?.contains("no server's data")
                    == true)
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("none").path))
            let key = DatabaseKey(container: container, environment: .development, owner: alice.recordName)
            try await copy(data, to: new) { StumblingPlace($0, at: key) }
            #expect(await refusal(other, new)?.contains("unfinished copy of another server") == true)
            try await copy(data, to: new) { $0 }
            #expect(await refusal(data, new)?.contains("already, and \(new.path) has them") == true)
        }
    }

    @Test("An engine with an unfinished copy is refused by a node")
    func unfinishedEngine() async throws {
        try await withStoppedServer { folder, data, alice, _ in
            let engine = EngineOfRows()
            let key = DatabaseKey(container: container, environment: .development, owner: alice.recordName)
            let source = try FolderPlace(from: data, assetEngine: nil)
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            await #expect(throws: CancellationError.self) {
                try await DataMigration.run(
                    from: StumblingPlace(source, at: key), to: engine.place(assets: bucket))
            }
            let node = try DataFolder(folder.appendingPathComponent("node"))
            let error = await #expect(throws: ServerError.self) {
                _ = try await node.bind(to: engine, as: "node")
            }
            #expect(error?.reason.contains("unfinished copy") == true)
            _ = try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            #expect(try await node.bind(to: engine, as: "node"))
            node.release()
            await source.close()
        }
    }

    @Test("A bucket that cannot be used is named before anything is written, with its next step")
    func unusableBucket() async throws {
        try await withStoppedServer { folder, data, _, _ in
            let server = try StubServer(status: 404, body: "<Error><Code>NoSuchBucket</Code></Error>")
            defer { server.stop() }
            try Data("ab12\n".utf8).write(to: data.appendingPathComponent("assets-in-object-store"))
            let bucket = AssetBucket(
                address: "s3://files?endpoint=\(server.address)", keyID: "KEYID", secret: "the-secret")
            let again = folder.appendingPathComponent("again")
            let error = await #expect(throws: ServerError.self) {
                _ = try await DataMigration.run(
                    from: .folder(data, assets: bucket), to: .folder(again, assets: nil))
            }
            #expect(error?.reason.contains("the files of assets cannot be copied: the bucket ") == true)
            #expect(error?.reason.contains("does not exist") == true)
            #expect(error?.nextStep.contains("correct the name in --assets") == true)
            #expect(!DataFolder.hasDirectory(again))
        }
    }

    @Test("Files need a place, and a bucket of another server is refused before anything is written")
    func buckets() async throws {
        try await withStoppedServer { folder, data, _, _ in
            let source = try FolderPlace(from: data, assetEngine: nil)
            let engine = EngineOfRows()
            let bucket = FilesInFolders(folder.appendingPathComponent("bucket"))
            _ = try await bucket.bind(to: "another")
            let taken = await #expect(throws: ServerError.self) {
                try await DataMigration.run(from: source, to: engine.place(assets: bucket))
            }
            #expect(taken?.reason == "the object store has the files of another server")
            #expect(try await engine.bind(to: nil) == nil)
            let none = await #expect(throws: ServerError.self) {
                try await DataMigration.run(from: source, to: engine.place())
            }
            #expect(none?.nextStep.contains("--assets") == true)
            #expect(try await engine.bind(to: nil) == nil)
            let free = FilesInFolders(folder.appendingPathComponent("free"))
            #expect(try await DataMigration.run(from: source, to: engine.place(assets: free)).files == 6)
            await source.close()
        }
    }

    @Test("A file that the source has lost, or only damaged, is reported; the rest is copied")
    func lostFiles() async throws {
        try await withStoppedServer { folder, data, _, _ in
            _ = try data.loseFiles(with: Data("content of p1".utf8))
            let damaged = try #require(
                FileManager.default.enumerator(at: data, includingPropertiesForKeys: nil)?
                    .compactMap { $0 as? URL }.first {
                        (try? Data(contentsOf: $0)) == Data("content of q2".utf8)
                    })
            try Data("CONTENT of q2".utf8).write(to: damaged)
            let report = try await DataMigration.run(
                from: .folder(data, assets: nil),
                to: .folder(folder.appendingPathComponent("again"), assets: nil))
            #expect(report.files == 4)
            #expect(report.missing.count == 2)
        }
    }
}
