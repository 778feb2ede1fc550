import Cloudlet
import Foundation
import Records
import Testing

@testable import TestKit

@Suite("Limits")
struct LimitTests {
    private func container(
        _ transport: any CloudTransport, _ change: (inout Limits) -> Void = { _ in }
    ) -> CKContainer {
        var connection = CloudConnection.over(transport)
        change(&connection.limits)
        return CKContainer(identifier: "iCloud.test", connection: connection)
    }

    private func records(_ count: Int, zone: CKRecordZone.ID = .default) -> [CKRecord] {
        (0..<count).map { party("party \($0)", zone: zone) }
    }

    private func answer(_ records: [CKRecord]) -> ScriptedTransport.Step {
        .answer(
            200, #"{"records":[\#(records.map { answered($0.recordID.recordName) }.joined(separator: ","))]}"#
        )
    }

    @Test("A batch at the limit is sent; one more item fails the batch, which is never split")
    func items() async throws {
        let fitting = records(200)
        let transport = ScriptedTransport(("records/modify", answer(fitting)))
        let database = container(transport).privateCloudDatabase
        _ = try await database.modifyRecords(saving: fitting, deleting: [], atomically: false)
        #expect(await transport.asked.count == 1)
        let more = records(200)
        let error = await #expect(throws: CKError.self) {
            _ = try await database.modifyRecords(
                saving: more, deleting: [CKRecord.ID(recordName: "x")], atomically: false)
        }
        #expect(error?.code == .limitExceeded)
        #expect(
            error?.localizedDescription == "Your request contains 201 items which is more than the maximum "
                + "number of items in a single request (200) - split the batch in half and send both")
        #expect(await transport.asked.count == 1)
    }

    @Test("If one zone has too many items, nothing of the batch is sent")
    func zones() async throws {
        let transport = ScriptedTransport()
        let database = container(transport) { $0.operationsPerRequest = 2 }.privateCloudDatabase
        let many = records(3, zone: CKRecordZone.ID(zoneName: "Z"))
        #expect(
            await code { _ = try await database.modifyRecords(saving: records(1) + many, deleting: []) }
                == .limitExceeded)
        let ids = (0..<201).map { CKRecord.ID(recordName: "\($0)") }
        #expect(await code { _ = try await database.records(for: ids) } == .limitExceeded)
        #expect(await transport.asked.isEmpty)
    }

    @Test("A record that is too large fails alone, before it is sent")
    func recordSize() async throws {
        let spelled = #"{"name":{"value":"","type":"STRING"}}"#.utf8.count
        let transport = ScriptedTransport(("records/modify", answer([party("a")])))
        let database = container(transport) { $0.recordBytes = 1000 }.privateCloudDatabase
        let fitting = party("a")
        fitting["name"] = String(repeating: "x", count: 1000 - spelled)
        _ = try await database.save(fitting)
        let large = party("b")
        large["name"] = String(repeating: "x", count: 1001 - spelled)
        let (saves, _) = try await database.modifyRecords(saving: [large, party("c")], deleting: [])
        let error = try #require(saves[large.recordID]?.failure as? CKError)
        #expect(error.code == .limitExceeded)
        #expect(error.localizedDescription.contains("[b]"))
        #expect(saves[party("c").recordID]?.code == CKError.Code.batchRequestFailed.rawValue)
        let bytes = party("d")
        bytes["data"] = Data(count: 900)
        #expect(await code { try await database.save(bytes) } == .limitExceeded)
        #expect(await transport.asked.count == 1)
    }

    @Test("A request or a file that is too large is not sent")
    func bytes() async throws {
        let file = URL.unused()
        try Data(count: 11).write(to: file)
        defer { file.remove() }
        let transport = ScriptedTransport()
        let small = container(transport) { $0.requestBytes = 300 }.privateCloudDatabase
        #expect(
            await code { _ = try await small.modifyRecords(saving: records(5), deleting: []) }
                == .limitExceeded)
        let record = party("a")
        record["photo"] = CKAsset(fileURL: file)
        let short = container(transport) { $0.assetBytes = 10 }.privateCloudDatabase
        let error = await #expect(throws: CKError.self) { try await short.save(record) }
        #expect(error?.code == .limitExceeded)
        #expect(error?.localizedDescription.contains("[photo]") == true)
        #expect(await transport.asked.isEmpty)
    }

    @Test("Upload addresses for many files are requested in several requests")
    func uploadTokens() async throws {
        let file = URL.unused()
        try Data(count: 1).write(to: file)
        defer { file.remove() }
        func places(_ count: Int) -> ScriptedTransport.Step {
            let place = #"{"recordName":"a","fieldName":"photos","url":"https://files/up"}"#
            let list = Array(repeating: place, count: count).joined(separator: ",")
            return .answer(200, #"{"tokens":[\#(list)]}"#)
        }
        let uploaded = #"{"singleFile":{"fileChecksum":"AA","size":1,"receipt":"r"}}"#
        let transport = ScriptedTransport(
            ("assets/upload", places(2)), ("assets/upload", places(1)), ("up", .answer(200, uploaded)),
            ("up", .answer(200, uploaded)), ("up", .answer(200, uploaded)),
            ("records/modify", answer([party("a")])))
        let record = party("a")
        record["photos"] = (0..<3).map { _ in CKAsset(fileURL: file) }
        let database = container(transport) { $0.tokensPerRequest = 2 }.privateCloudDatabase
        try await database.save(record)
        #expect(await transport.isFinished)
    }

    @Test("An upload address is requested after the files before it were sent")
    func uploadAddresses() async throws {
        let file = URL.unused()
        try Data(count: 1).write(to: file)
        defer { file.remove() }
        let place = #"{"tokens":[{"recordName":"a","fieldName":"photos","url":"https://files/up"}]}"#
        let uploaded = #"{"singleFile":{"fileChecksum":"AA","size":1,"receipt":"r"}}"#
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, place)), ("up", .answer(200, uploaded)),
            ("assets/upload", .answer(200, place)), ("up", .answer(200, uploaded)),
            ("records/modify", answer([party("a")])))
        let record = party("a")
        record["photos"] = (0..<2).map { _ in CKAsset(fileURL: file) }
        let database = container(transport) {
            ($0.uploadSeconds, $0.transferBytesPerSecond) = (1, 1)
        }.privateCloudDatabase
        try await database.save(record)
        let isUpload = await transport.asked.map { $0.target.hasSuffix("/up") }
        #expect(isUpload == [false, true, false, true, false])
    }

    @Test("A file that the server defers is sent again after the wait, while its address is valid")
    func busyUploads() async throws {
        let file = URL.unused()
        try Data(count: 1).write(to: file)
        defer { file.remove() }
        let place = #"{"tokens":[{"recordName":"a","fieldName":"photo","url":"https://files/up"}]}"#
        let uploaded = #"{"singleFile":{"fileChecksum":"AA","size":1,"receipt":"r"}}"#
        let busy = #"{"serverErrorCode":"TRY_AGAIN_LATER","reason":"busy","retryAfter":5"#
        let tooMany = busy + #","cloudlet":{"culprit":"uploadsPerPerson"}}"#
        // The first upload is refused twice and then succeeds. The second one is refused until its address
        // expires. The third one is refused for another reason.
        let transport = ScriptedTransport(
            ("assets/upload", .answer(200, place)), ("up", .answer(503, tooMany)),
            ("up", .answer(503, tooMany)), ("up", .answer(200, uploaded)),
            ("records/modify", answer([party("a")])),
            ("assets/upload", .answer(200, place)), ("up", .answer(503, tooMany)),
            ("up", .answer(503, tooMany)), ("up", .answer(503, tooMany)),
            ("assets/upload", .answer(200, place)), ("up", .answer(503, busy + "}")))
        let pauses = Log()
        var connection = CloudConnection.over(transport)
        connection.limits.uploadSeconds = 12
        connection.pause = { pauses.add("\($0)") }
        let database = CKContainer(identifier: "iCloud.test", connection: connection).privateCloudDatabase
        func save() async -> CKError? {
            let record = party("a")
            record["photo"] = CKAsset(fileURL: file)
            do {
                try await database.save(record)
                return nil
            } catch {
                return error as? CKError
            }
        }
        let saved = await save()
        #expect(saved == nil)
        #expect(pauses.all == ["5.0 seconds", "5.0 seconds"])
        let refused = await save()
        #expect(refused?.code == .serviceUnavailable)
        #expect(refused?.retryAfterSeconds == 5)
        let other = await save()
        #expect(other?.code == .serviceUnavailable)
        #expect(pauses.all.count == 4)
        #expect(await transport.isFinished)
    }

    /// Saves records as Apple's talk advises: if a batch is too large, saves its halves in the same way.
    ///
    /// The client leaves this to the app, because only the app knows which records belong together.
    private func saveHalving(_ records: [CKRecord], _ database: CKDatabase, _ log: Log) async throws {
        log.add("\(records.count)")
        do {
            let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
            for result in saves.values { _ = try result.get() }
        } catch CKError.limitExceeded where records.count > 1 {
            try await saveHalving(Array(records.prefix(records.count / 2)), database, log)
            try await saveHalving(Array(records.dropFirst(records.count / 2)), database, log)
        }
    }

    @Test("An app that halves batches after limitExceeded saves a thousand records")
    func halving() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let zone = CKRecordZone.ID(zoneName: "Parties")
            try await database.save(CKRecordZone(zoneID: zone))
            let log = Log()
            try await saveHalving(records(1000, zone: zone), database, log)
            let half = ["500", "250", "125", "125", "250", "125", "125"]
            #expect(log.all == ["1000"] + half + half)
            var page = try await database.recordZoneChanges(inZoneWith: zone, since: nil, desiredKeys: [])
            var count = page.modificationResultsByID.count
            while page.moreComing {
                page = try await database.recordZoneChanges(
                    inZoneWith: zone, since: page.changeToken, desiredKeys: [])
                count += page.modificationResultsByID.count
            }
            #expect(count == 1000)
        }
    }
}
