import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@Suite("Descriptions of errors")
struct ErrorTreeTests {
    @Test("A conflict has culprit, reason and next step in one line, and its internal number below")
    func conflict() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(party("a"))
            let error = try #require(await caught { try await database.save(party("a")) })
            let text = error.localizedDescription
            #expect(text.contains("record to insert already exists"))
            #expect(text.contains("a"))
            #expect(text.contains(" - "))
            #expect("\(error)" == "<CKError: serverRecordChanged (14); \"\(text)\">")
            #expect(error.explanation.contains("underlying error: CKInternalErrorDomain 2004"))
        }
    }

    @Test("The explanation of a partial failure lists the error of each item")
    func tree() async throws {
        try await withFixture { fixture in
            let zone = CKRecordZone.ID(zoneName: "Parties")
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zone))
            try await database.save(party("a", zone: zone))
            let told = Log()
            let operation = CKModifyRecordsOperation(
                recordsToSave: [party("a", zone: zone), party("b", zone: zone)])
            operation.database = database
            operation.modifyRecordsCompletionBlock = { _, _, error in
                told.add((error as? CKError)?.explanation ?? "none")
            }
            await operation.run()
            let lines = told.all.joined().split(separator: "\n").map(String.init)
            #expect(lines.first?.hasPrefix("partialFailure (2): 2 of the items failed") == true)
            #expect(lines.contains { $0.hasPrefix("  a: serverRecordChanged (14): ") })
            #expect(lines.contains { $0.hasPrefix("  b: batchRequestFailed (22): ") })
        }
    }

    @Test("The explanation has the time to wait and the underlying network error")
    func waitingAndBeneath() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            fixture.world.server.faults.add(Fault(.unavailable, count: 1, seconds: 9))
            let busy = await caught { _ = try await database.record(for: CKRecord.ID(recordName: "a")) }
            #expect(busy?.explanation.contains("\n  retry after 9.0 s") == true)
            #expect(busy?.description.contains("; retry after 9.0 s") == true)
            fixture.world.server.faults.add(Fault(.networkFailureBefore, count: 1))
            let lost = await caught { _ = try await database.record(for: CKRecord.ID(recordName: "a")) }
            #expect(lost?.code == .networkFailure)
            #expect(lost?.userInfo[NSUnderlyingErrorKey] is NSError)
            #expect(lost?.explanation.contains("underlying error: ") == true)
        }
    }
}
