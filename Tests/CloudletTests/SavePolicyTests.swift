import Cloudlet
import Foundation
import Records
import RecordsWire
import Synchronization
import Testing

@Suite("Save policies")
struct SavePolicyTests {
    typealias Policy = CKModifyRecordsOperation.RecordSavePolicy

    private static let id = CKRecord.ID(recordName: "card")

    private func save(
        _ record: CKRecord, _ policy: Policy, _ database: CKDatabase
    ) async throws -> CKRecord {
        let (saves, _) = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: policy)
        return try saves[record.recordID]?.get() ?? record
    }

    private static let fetched = answered(
        "card",
        fields: """
            "city":{"value":"Bern","type":"STRING"},"name":{"value":"Ann","type":"STRING"},\
            "street":{"value":"Lane","type":"STRING"}
            """)

    @Test(
        "Changed keys are sent and removed keys are null; allKeys sends all keys",
        arguments: [
            (
                Policy.ifServerRecordUnchanged,
                #"{"operationType":"update","record":{"recordName":"card","recordType":"Party","#
                    + #""recordChangeTag":"1","fields":{"name":{"value":"Eve","type":"STRING"},"#
                    + #""street":{"value":null}}}}"#
            ),
            (
                .changedKeys,
                #"{"operationType":"forceUpdate","cloudlet":{"mustExist":true},"#
                    + #""record":{"recordName":"card","recordType":"Party","recordChangeTag":"1","fields":{"#
                    + #""name":{"value":"Eve","type":"STRING"},"street":{"value":null}}}}"#
            ),
            (
                .allKeys,
                #"{"operationType":"forceUpdate","cloudlet":{"mustExist":true},"#
                    + #""record":{"recordName":"card","recordType":"Party","recordChangeTag":"1","fields":{"#
                    + #""city":{"value":"Bern","type":"STRING"},"#
                    + #""name":{"value":"Eve","type":"STRING"},"street":{"value":null}}}}"#
            ),
        ])
    func payload(_ policy: Policy, _ expected: String) async throws {
        let transport = ScriptedTransport(
            ("records/lookup", .answer(200, #"{"records":[\#(Self.fetched)]}"#)),
            ("records/modify", .answer(200, #"{"records":[\#(answered("card", tag: "2"))]}"#)))
        let database = CKContainer.scripted(transport).privateCloudDatabase
        let record = try await database.record(for: Self.id)
        record["name"] = "Eve"
        record["street"] = nil
        _ = try await save(record, policy, database)
        let body = try #require(await transport.asked.last?.body)
        #expect(body.contains(expected), "\(body)")
        #expect(record.recordChangeTag == "2")
        #expect(record.changedKeys().isEmpty)
    }

    @Test("A key that is set during a save stays changed, under every policy")
    func meanwhile() async throws {
        for policy in [Policy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
            let saved = answered(
                "card", tag: "2",
                fields: """
                    "city":{"value":"Oslo","type":"STRING"},"name":{"value":"Eve","type":"STRING"},\
                    "street":{"value":"Lane","type":"STRING"}
                    """)
            let script = ScriptedTransport(
                ("records/lookup", .answer(200, #"{"records":[\#(Self.fetched)]}"#)),
                ("records/modify", .answer(200, #"{"records":[\#(saved)]}"#)))
            let held = Mutex<CKRecord?>(nil)
            let transport = WatchedTransport(script) { _ in
                let record = held.withLock { $0 }
                record?["street"] = "later"
                record?.setParent(CKRecord.ID(recordName: "above"))
            }
            let database = CKContainer.over(transport).privateCloudDatabase
            let record = try await database.record(for: Self.id)
            held.withLock { $0 = record }
            record["name"] = "Eve"
            _ = try await save(record, policy, database)
            #expect(record.changedKeys() == ["street"])
            #expect(record["street"] as? String == "later")
            #expect(record["city"] as? String == (policy == .ifServerRecordUnchanged ? "Bern" : "Oslo"))
            #expect(record.parent?.recordID.recordName == "above")
            #expect(record.recordChangeTag == "2")
        }
    }

    @Test("A forced save keeps its change tag on the wire only with mustExist")
    func mustExist() throws {
        func tag(_ operation: String, _ wish: String) throws -> String? {
            let record = #"{"recordName":"a","recordType":"T","recordChangeTag":"1"}"#
            let body = #"{"operations":[{"operationType":"\#(operation)"\#(wish),"record":\#(record)}]}"#
            let request = try RecordsModifyRequest(bytes: Array(body.utf8))
            #expect(try RecordsModifyRequest(bytes: request.encoded()) == request)
            return request.batch.operations.first?.changeTag?.text
        }
        let wish = #","cloudlet":{"mustExist":true}"#
        for operation in ["forceUpdate", "forceReplace"] {
            #expect(try tag(operation, "") == nil)
            #expect(try tag(operation, #","cloudlet":{"mustExist":false}"#) == nil)
            #expect(try tag(operation, wish) == "1")
        }
        for operation in ["update", "replace", "delete"] { #expect(try tag(operation, "") == "1") }
    }

    /// Two copies of Ann's card: one that was changed and saved, and one that another device fetched before.
    private func twoCopies(_ fixture: Fixture) async throws -> (saved: CKRecord, stale: CKRecord) {
        let card = CKRecord(recordType: "Card", recordID: Self.id)
        card["name"] = "Ann"
        card["street"] = "Lane"
        card["city"] = "Bern"
        try await fixture.alice.privateCloudDatabase.save(card)
        let stale = try await fixture.tablet.privateCloudDatabase.record(for: Self.id)
        card["street"] = "Avenue"
        card["city"] = "Oslo"
        card["hometown"] = "Thun"
        try await fixture.alice.privateCloudDatabase.save(card)
        return (card, stale)
    }

    @Test(
        "A save of an outdated record is refused, merged or forced, depending on the policy",
        arguments: [
            (Policy.ifServerRecordUnchanged, "Ann Avenue Oslo Thun"), (.changedKeys, "Ann Road Oslo Thun"),
            (.allKeys, "Ann Road Bern Thun"),
        ])
    func contactCard(_ policy: Policy, _ expected: String) async throws {
        try await withFixture { fixture in
            let (_, stale) = try await twoCopies(fixture)
            let database = fixture.tablet.privateCloudDatabase
            stale["street"] = "Road"
            let refused = await code { _ = try await save(stale, policy, database) }
            #expect(refused == (policy == .ifServerRecordUnchanged ? .serverRecordChanged : nil))
            let keys = ["name", "street", "city", "hometown"]
            let server = try await fixture.alice.privateCloudDatabase.record(for: Self.id)
            #expect(keys.map { server[$0] as? String ?? "-" }.joined(separator: " ") == expected)
            if refused == nil {
                // The saved record is the server's version, with the fields that the other device changed.
                #expect(keys.map { stale[$0] as? String ?? "-" }.joined(separator: " ") == expected)
                #expect(stale.recordChangeTag == server.recordChangeTag)
                #expect(stale.changedKeys().isEmpty)
                stale["name"] = "Eve"
                try await database.save(stale)
            }
        }
    }

    @Test("A conflict has the client version, its ancestor and the server version")
    func conflict() async throws {
        try await withFixture { fixture in
            let (_, stale) = try await twoCopies(fixture)
            stale["street"] = "Road"
            let thrown = await #expect(throws: CKError.self) {
                try await fixture.tablet.privateCloudDatabase.save(stale)
            }
            let error = try #require(thrown)
            #expect(error.clientRecord === stale)
            #expect(error.ancestorRecord?["street"] as? String == "Lane")
            #expect(error.serverRecord?["street"] as? String == "Avenue")
            #expect(error.serverRecord?["hometown"] as? String == "Thun")
            #expect(error.ancestorRecord?.recordChangeTag == stale.recordChangeTag)
            #expect(error.serverRecord?.recordChangeTag != stale.recordChangeTag)
            #expect(stale.changedKeys() == ["street"])
        }
    }

    @Test("Only explicitly removed keys are removed; a partially fetched record changes no other keys")
    func removal() async throws {
        try await withFixture { fixture in
            let (_, _) = try await twoCopies(fixture)
            let database = fixture.tablet.privateCloudDatabase
            let part = try await database.records(for: [Self.id], desiredKeys: ["street"])[Self.id]?.get()
            let record = try #require(part)
            record["street"] = nil
            _ = try await save(record, .allKeys, database)
            let server = try await database.record(for: Self.id)
            #expect(server.allKeys() == ["city", "hometown", "name"])
            #expect(record.allKeys() == server.allKeys())
        }
    }

    @Test(
        "A record that somebody deleted is unknownItem under every policy, and stays deleted",
        arguments: [Policy.ifServerRecordUnchanged, .changedKeys, .allKeys])
    func deleted(_ policy: Policy) async throws {
        try await withFixture { fixture in
            let (_, stale) = try await twoCopies(fixture)
            let database = fixture.tablet.privateCloudDatabase
            try await fixture.alice.privateCloudDatabase.deleteRecord(withID: Self.id)
            stale["street"] = "Road"
            #expect(await code { _ = try await save(stale, policy, database) } == .unknownItem)
            #expect(await code { try await database.record(for: Self.id) } == .unknownItem)
            let new = CKRecord(recordType: "Card", recordID: Self.id)
            new["name"] = "new"
            _ = try await save(new, policy, database)
            #expect(new.recordChangeTag != nil)
        }
    }

    @Test("A forced save keeps the local file of an asset, and adopts a file that others saved")
    func assets() async throws {
        try await withFixture { fixture in
            let folder = fixture.folder
            func asset(_ text: String) throws -> CKAsset {
                let file = folder.appendingPathComponent(text)
                try Data(text.utf8).write(to: file)
                return CKAsset(fileURL: file)
            }
            let record = party("photo")
            record["photo"] = try asset("one")
            try await fixture.alice.privateCloudDatabase.save(record)
            let copy = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            let file = try #require((copy["photo"] as? CKAsset)?.fileURL)
            copy["name"] = "renamed"
            _ = try await save(copy, .changedKeys, fixture.tablet.privateCloudDatabase)
            #expect((copy["photo"] as? CKAsset)?.fileURL == file)
            record["photo"] = try asset("two")
            let mine = record["photo"] as? CKAsset
            _ = try await save(record, .allKeys, fixture.alice.privateCloudDatabase)
            #expect((record["photo"] as? CKAsset)?.fileURL == mine?.fileURL)
            #expect(record["name"] as? String == "photo")
            copy["guests"] = 3
            _ = try await save(copy, .changedKeys, fixture.tablet.privateCloudDatabase)
            #expect(copy["photo"] as? CKAsset != nil)
            #expect((copy["photo"] as? CKAsset)?.fileURL == nil)
            let last = try await fixture.tablet.privateCloudDatabase.record(for: record.recordID)
            let url = try #require((last["photo"] as? CKAsset)?.fileURL)
            #expect(try Data(contentsOf: url) == Data("two".utf8))
        }
    }
}
