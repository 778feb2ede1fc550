import Cloudlet
import Foundation
import Testing

@testable import TestKit

/// The answer in a file of `Data/Wire`, and its names, read without the client's decoder.
private struct GoldenAnswer {
    let step: ScriptedTransport.Step
    private let body: [String: Any]

    init(_ name: String) throws {
        let file = URL.package.appending(path: "Data/Wire/\(name).json")
        let root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
        let response = try #require(root?["response"] as? [String: Any])
        body = try #require(response["body"] as? [String: Any])
        let text = try JSONSerialization.data(withJSONObject: body)
        step = .answer(
            try #require(response["status"] as? Int), String(decoding: text, as: UTF8.self))
    }

    func items(_ key: String) -> [[String: Any]] { body[key] as? [[String: Any]] ?? [] }

    /// The names of the records with fields: neither deleted nor failed.
    var saved: [String] {
        items("records").filter { $0["fields"] != nil }.compactMap { $0["recordName"] as? String }
    }
    var failed: [String] {
        items("records").filter { $0["serverErrorCode"] != nil }.compactMap { $0["recordName"] as? String }
    }
}

@Suite("Golden server answers, decoded by the client")
struct GoldenClientTests {
    private let notes = CKRecordZone.ID(zoneName: "Notes")

    @Test("A query page has ordered records with fields and times, and a cursor")
    func query() async throws {
        let golden = try GoldenAnswer("records-query")
        let database = CKContainer.scripted(ScriptedTransport(("query", golden.step))).publicCloudDatabase
        let (matches, cursor) = try await database.records(
            matching: CKQuery(recordType: "Party", predicate: NSPredicate(value: true)))
        #expect(matches.map(\.0.recordName) == golden.saved)
        #expect(cursor != nil)
        let first = try matches[0].1.get()
        #expect(first["name"] as? String == "Garden party")
        #expect(first["starts"] as? Date == Date(timeIntervalSince1970: 1_718_200_000))
        #expect(first.recordChangeTag == "k3f9")
        #expect(first.creationDate == Date(timeIntervalSince1970: 1_717_000_000))
        #expect(first.lastModifiedUserRecordID?.recordName == "_77be")
    }

    @Test("A batch answer has the server record of a conflict, and the wait of a busy zone")
    func conflict() async throws {
        let golden = try GoldenAnswer("records-modify-conflict-details")
        let database = CKContainer.scripted(ScriptedTransport(("modify", golden.step))).privateCloudDatabase
        let records = ["n1", "n9"].map {
            CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: $0, zoneID: notes))
        }
        let (saves, _) = try await database.modifyRecords(saving: records, deleting: [], atomically: false)
        #expect(golden.failed == ["n1", "n9"])
        let conflict = try #require(saves[records[0].recordID]?.failure as? CKError)
        #expect(conflict.code == .serverRecordChanged)
        #expect(conflict.serverRecord?["text"] as? String == "theirs")
        #expect(conflict.serverRecord?.recordChangeTag == "5c")
        let busy = try #require(saves[records[1].recordID]?.failure as? CKError)
        #expect(busy.code == .zoneBusy)
        #expect(busy.retryAfterSeconds == 2)
    }

    @Test("A change answer has records, deletions, tokens, and the error of a missing zone")
    func changes() async throws {
        let golden = try GoldenAnswer("changes-zone")
        let database = CKContainer.scripted(ScriptedTransport(("zone", golden.step))).privateCloudDatabase
        let gone = CKRecordZone.ID(zoneName: "Gone")
        let log = Log()
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [notes, gone], configurationsByRecordZoneID: nil)
        operation.database = database
        operation.recordWasChangedBlock = { id, result in
            log.add("\(id.recordName) \((try? result.get())?["text"] as? String ?? "-")")
        }
        operation.recordWithIDWasDeletedBlock = { id, _ in log.add("-\(id.recordName)") }
        operation.recordZoneFetchResultBlock = { zone, result in
            log.add("\(zone.zoneName) \((try? result.get())?.moreComing.description ?? "failed")")
        }
        await operation.run()
        #expect(golden.items("zones").count == 2)
        #expect(Set(log.all) == ["n1 hi", "-n2", "Notes false", "Gone failed"])
    }

    @Test("A zone answer has created and deleted zones")
    func zones() async throws {
        let golden = try GoldenAnswer("zones-modify")
        let database = CKContainer.scripted(ScriptedTransport(("modify", golden.step))).privateCloudDatabase
        let (saves, deletions) = try await database.modifyRecordZones(
            saving: [CKRecordZone(zoneName: "Trips")], deleting: [notes])
        #expect(saves.values.compactMap { try? $0.get().zoneID.zoneName } == ["Trips"])
        #expect(deletions.keys.map(\.zoneName) == ["Notes"])
        #expect(deletions.values.allSatisfy { (try? $0.get()) != nil })
    }

    @Test("An answer for a person who is not signed in has the sign-in address")
    func signedOut() async throws {
        let golden = try GoldenAnswer("users-caller-signed-out")
        let container = CKContainer.scripted(ScriptedTransport(("caller", golden.step)))
        let error = await #expect(throws: CKError.self) { try await container.userRecordID() }
        #expect(error?.code == .notAuthenticated)
    }
}
