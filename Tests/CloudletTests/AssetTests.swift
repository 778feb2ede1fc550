import Cloudlet
import Foundation
import Testing

@testable import TestKit

@Suite("Assets")
struct AssetTests {
    /// A folder of the test, removed at its end.
    private final class Folder {
        let url: URL

        init() throws { url = try URL.newFolder() }

        func file(_ name: String, _ text: String) throws -> URL {
            let file = url.appendingPathComponent(name)
            try Data(text.utf8).write(to: file)
            return file
        }

        deinit { url.remove() }
    }

    private static let photo = """
        "photo":{"value":{"fileChecksum":"AQ","size":5,"downloadURL":"https://down/1"},"type":"ASSETID"}
        """

    private static let tokens = """
        {"tokens":[{"recordName":"a","fieldName":"photo","url":"https://up.example/1"}]}
        """

    @Test("A file is uploaded before the record, which is saved with the receipt")
    func upload() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, Self.tokens)),
            ("up.example/1", .answer(200, #"{"singleFile":{"fileChecksum":"AQ","size":5,"receipt":"R"}}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(answered("a"))]}"#)))
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        let link = folder.url.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: try folder.file("x.jpg", "hello"))
        record["photo"] = CKAsset(fileURL: link)
        try await CKContainer.scripted(transport).publicCloudDatabase.save(record)
        let asked = await transport.asked
        #expect(asked.map(\.body)[1] == "file:x.jpg")
        #expect(
            asked[2].body.contains(
                #"{"value":{"fileChecksum":"AQ","size":5,"receipt":"R"},"type":"ASSETID"}"#))
        #expect((record["photo"] as? CKAsset)?.fileURL?.lastPathComponent == "link")
    }

    @Test("An unchanged asset is not sent again, whatever the save policy")
    func unchanged() async throws {
        let stored = answered(
            "a",
            fields: Self.photo
        )
        let transport = ScriptedTransport(
            ("records/lookup", .answer(200, #"{"records":[\#(stored)]}"#)),
            ("down/1", .file("hello")),
            ("records/modify", .answer(200, #"{"records":[\#(answered("a", tag: "2"))]}"#)))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let record = try await database.record(for: CKRecord.ID(recordName: "a"))
        let file = try #require((record["photo"] as? CKAsset)?.fileURL)
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
        record["name"] = "x"
        _ = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: .allKeys)
        let body = try #require(await transport.asked.last?.body)
        #expect(!body.contains("photo"))
        #expect(await transport.isFinished)
    }

    @Test("A missing file or a folder as an asset fails only its own record")
    func missing() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport(
            ("records/modify", .answer(200, #"{"records":[\#(answered("good"))]}"#)))
        let good = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "good"))
        let missing = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "missing"))
        missing["photo"] = CKAsset(fileURL: folder.url.appendingPathComponent("none"))
        let isFolder = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "folder"))
        isFolder["photo"] = CKAsset(fileURL: folder.url)
        let (saves, _) = try await CKContainer.scripted(transport).publicCloudDatabase.modifyRecords(
            saving: [missing, good, isFolder], deleting: [], atomically: false)
        #expect((saves[missing.recordID]?.failure as? CKError)?.code == .assetFileNotFound)
        #expect((saves[isFolder.recordID]?.failure as? CKError)?.code == .assetFileNotFound)
        #expect(saves[good.recordID]?.failure == nil)
    }

    @Test("A save fails if the server received the file with another size")
    func truncated() async throws {
        let folder = try Folder()
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, Self.tokens)),
            ("up.example/1", .answer(200, #"{"singleFile":{"fileChecksum":"AQ","size":4,"receipt":"R"}}"#)))
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["photo"] = CKAsset(fileURL: try folder.file("x.jpg", "hello"))
        let error = await #expect(throws: CKError.self) {
            try await CKContainer.scripted(transport).publicCloudDatabase.save(record)
        }
        #expect(error?.code == .assetFileModified)
    }

    @Test(
        "A file is uploaded again only if its receipt has expired, or if the error has no details",
        arguments: [
            (#","cloudlet":{"code":"uploadExpired"}"#, 2), ("", 2),
            (#","cloudlet":{"code":"badRequest"}"#, 1), (#","cloudlet":{"code":"assetRejected"}"#, 1),
        ])
    func refusedReceipts(details: String, uploads: Int) async throws {
        let folder = try Folder()
        let refusal = #"{"recordName":"a","serverErrorCode":"BAD_REQUEST","reason":"no"\#(details)}"#
        let tokens = ScriptedTransport.Step.answer(200, Self.tokens)
        let uploaded = ScriptedTransport.Step.answer(
            200, #"{"singleFile":{"fileChecksum":"AQ","size":5,"receipt":"R"}}"#)
        let refused = ScriptedTransport.Step.answer(200, #"{"records":[\#(refusal)]}"#)
        let transport = ScriptedTransport(
            ("assets/upload", tokens), ("assets/upload", tokens), ("up.example/1", uploaded),
            ("up.example/1", uploaded), ("records/modify", refused), ("records/modify", refused))
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["photo"] = CKAsset(fileURL: try folder.file("x.jpg", "hello"))
        let database = CKContainer.scripted(transport).publicCloudDatabase
        let error = await code { try await database.save(record) }
        #expect(error != nil)
        let asked = await transport.asked
        #expect(asked.count == 3 * uploads)
        #expect(asked.filter { $0.body == "file:x.jpg" }.count == uploads)
    }

    @Test("A list of assets keeps its order")
    func lists() async throws {
        let folder = try Folder()
        let tokens = """
            {"tokens":[{"recordName":"a","fieldName":"photos","url":"https://up.example/1"},\
            {"recordName":"a","fieldName":"photos","url":"https://up.example/2"}]}
            """
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, tokens)),
            ("up.example/1", .answer(200, #"{"singleFile":{"fileChecksum":"A1","size":1,"receipt":"R1"}}"#)),
            ("up.example/2", .answer(200, #"{"singleFile":{"fileChecksum":"A2","size":2,"receipt":"R2"}}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(answered("a"))]}"#)))
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["photos"] = [
            CKAsset(fileURL: try folder.file("1", "x")), CKAsset(fileURL: try folder.file("2", "yy")),
        ]
        try await CKContainer.scripted(transport).publicCloudDatabase.save(record)
        let body = try #require(await transport.asked.last?.body)
        #expect(body.contains("ASSETID_LIST"))
        let first = try #require(body.range(of: "R1")).lowerBound
        #expect(first < (try #require(body.range(of: "R2"))).lowerBound)
    }

    @Test("A record whose asset cannot be downloaded fails, and other records do not")
    func failedDownload() async throws {
        let stored = answered(
            "a",
            fields: Self.photo
        )
        let transport = ScriptedTransport(
            ("records/query", .answer(200, #"{"records":[\#(stored),\#(answered("b"))]}"#)),
            ("down/1", .answer(404, "{}")))
        let query = CKQuery(recordType: "Party", predicate: NSPredicate(value: true))
        let (matches, _) = try await CKContainer.scripted(transport).publicCloudDatabase.records(
            matching: query)
        #expect((matches[0].1.failure as? CKError)?.code == .assetNotAvailable)
        #expect(matches[1].1.failure == nil)
    }
}
