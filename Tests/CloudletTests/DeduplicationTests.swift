import Cloudlet
import Foundation
import Synchronization
import Testing

@testable import TestKit

@Suite("Files that are not transferred again")
struct DeduplicationTests {
    /// Counts the files that are uploaded and downloaded.
    private final class Traffic: Sendable {
        private let moved = Mutex((up: 0, down: 0))

        var counts: [Int] { moved.withLock { [$0.up, $0.down] } }

        func note(_ request: CloudRequest) {
            moved.withLock { moved in
                if case .file = request.body { moved.up += 1 }
                if request.saveTo != nil { moved.down += 1 }
            }
        }
    }

    /// The same container over a transport that counts its files.
    private static func counted(_ container: CKContainer, _ traffic: Traffic) -> CKContainer {
        var connection = container.connection
        connection.transport = WatchedTransport(connection.transport) { traffic.note($0) }
        return CKContainer(identifier: Fixture.containerName, connection: connection)
    }

    private static func photo(_ name: String, _ text: String, _ fixture: Fixture) throws -> CKRecord {
        let file = fixture.folder.appendingPathComponent("file-\(name)")
        try Data(text.utf8).write(to: file)
        let record = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: name))
        record["file"] = CKAsset(fileURL: file)
        return record
    }

    private static func text(_ record: CKRecord) throws -> String {
        let asset = try #require(record["file"] as? CKAsset)
        return try String(contentsOf: try #require(asset.fileURL), encoding: .utf8)
    }

    @Test("A file is not uploaded if the server has its bytes from the same person")
    func up() async throws {
        try await withFixture { fixture in
            let traffic = Traffic()
            let mine = Self.counted(fixture.alice, traffic).publicCloudDatabase
            try await mine.save(try Self.photo("a", "clown", fixture))
            #expect(traffic.counts == [1, 0])
            try await mine.save(try Self.photo("b", "clown", fixture))
            #expect(traffic.counts == [1, 0])
            try await mine.save(try Self.photo("c", "other", fixture))
            #expect(traffic.counts == [2, 0])
            let theirs = Self.counted(fixture.bob, traffic).publicCloudDatabase
            try await theirs.save(try Self.photo("d", "clown", fixture))
            #expect(traffic.counts == [3, 0])
            let copy = try await fixture.bob.publicCloudDatabase.record(for: CKRecord.ID(recordName: "b"))
            #expect(try Self.text(copy) == "clown")
        }
    }

    @Test("The server copies an imported asset only for the person whose record has it")
    func imported() async throws {
        try await withFixture { fixture in
            let traffic = Traffic()
            let mine = Self.counted(fixture.alice, traffic).publicCloudDatabase
            try await mine.save(try Self.photo("a", "clown", fixture))
            let source = try await mine.record(for: CKRecord.ID(recordName: "a"))
            let exported = try #require((source["file"] as? CKAsset)?.exportedAssetID)
            let id = try JSONDecoder().decode(
                CKAsset.ExportedAssetID.self, from: try JSONEncoder().encode(exported))
            let copy = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "b"))
            let asset = CKAsset(importing: id)
            #expect(asset.fileURL == nil)
            copy["file"] = asset
            try await mine.save(copy)
            #expect(traffic.counts[0] == 1)
            #expect(try Self.text(try await mine.record(for: copy.recordID)) == "clown")

            let stolen = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "c"))
            stolen["file"] = CKAsset(importing: id)
            let refusal = await code { _ = try await fixture.bob.publicCloudDatabase.save(stolen) }
            #expect(refusal == .assetNotAvailable)
            #expect(CKAsset(fileURL: URL(filePath: "/tmp/x")).exportedAssetID == nil)
        }
    }

    @Test("A downloaded file is not downloaded again while a local file has its bytes")
    func down() async throws {
        try await withFixture { fixture in
            try await fixture.alice.publicCloudDatabase.save(try Self.photo("a", "clown", fixture))
            let traffic = Traffic()
            let database = Self.counted(fixture.bob, traffic).publicCloudDatabase
            let id = CKRecord.ID(recordName: "a")
            let first = try await database.record(for: id)
            let second = try await database.record(for: id)
            #expect(traffic.counts == [0, 1])
            #expect(try Self.text(second) == "clown")
            let files = try [first, second].map { try #require(($0["file"] as? CKAsset)?.fileURL) }
            #expect(files[0] != files[1])
            try Data("clawn".utf8).write(to: files[0])
            #expect(try Self.text(second) == "clown")
            #expect(try Self.text(try await database.record(for: id)) == "clown")
            #expect(traffic.counts == [0, 1])
            for file in try FileManager.default.contentsOfDirectory(
                at: files[0].deletingLastPathComponent(), includingPropertiesForKeys: nil)
            {
                try Data("clawn".utf8).write(to: file)
            }
            #expect(try Self.text(try await database.record(for: id)) == "clown")
            #expect(traffic.counts == [0, 2])
        }
    }

    @Test("Equal files in one answer are downloaded once, and each record gets its own copy")
    func together() async throws {
        try await withFixture { fixture in
            let names = ["a", "b", "c"]
            for name in names {
                try await fixture.alice.publicCloudDatabase.save(try Self.photo(name, "clown", fixture))
            }
            let traffic = Traffic()
            let database = Self.counted(fixture.bob, traffic).publicCloudDatabase
            let results = try await database.records(for: names.map { CKRecord.ID(recordName: $0) })
            let records = try results.values.map { try $0.get() }
            #expect(try records.map(Self.text) == ["clown", "clown", "clown"])
            #expect(Set(records.compactMap { ($0["file"] as? CKAsset)?.fileURL }).count == 3)
            #expect(traffic.counts == [0, 1])
        }
    }

    @Test("The client uploads the file if the server offers a receipt for other bytes")
    func foreign() async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let file = folder.appendingPathComponent("x")
        try Data("hello".utf8).write(to: file)
        let place = """
            {"tokens":[{"recordName":"a","fieldName":"photo","url":"https://up.example/1",\
            "singleFile":{"fileChecksum":"OTHER","size":5,"receipt":"R0"}}]}
            """
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, place)),
            ("up.example/1", .answer(200, #"{"singleFile":{"fileChecksum":"AQ","size":5,"receipt":"R"}}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(answered("a"))]}"#)))
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["photo"] = CKAsset(fileURL: file)
        try await CKContainer.scripted(transport).publicCloudDatabase.save(record)
        #expect(await transport.asked.map(\.target)[1] == "https://up.example/1")
        #expect(
            await transport.asked[0].body.contains(#""fileChecksum":"ASzyTbpfsKMOJug7KsW54p4bFh5c","size":5"#)
        )
    }
}
