import Cloudlet
import CloudletTesting
import Testing

@Suite("User records")
struct UserRecordTests {
    @Test("The current user's record can be fetched and changed, others can read it, nobody can create it")
    func currentUser() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
            let id = try await fixture.alice.userRecordID()
            #expect(try await fixture.tablet.userRecordID() == id)
            let record = try await database.record(for: id)
            #expect(record.recordType == CKRecord.SystemType.userRecord)
            record["motto"] = "honk"
            try await database.save(record)
            let seen = try await fixture.bob.publicCloudDatabase.record(for: id)
            #expect(seen["motto"] as? String == "honk")
            seen["motto"] = "beep"
            #expect(await code { try await fixture.bob.publicCloudDatabase.save(seen) } == .permissionFailure)
            let forged = CKRecord(recordType: "Users", recordID: CKRecord.ID(recordName: "bob"))
            #expect(
                await code { try await fixture.bob.publicCloudDatabase.save(forged) } == .permissionFailure)
            #expect(await code { try await database.deleteRecord(withID: id) } == .permissionFailure)
            let query = CKQuery(recordType: "Users", predicate: NSPredicate(value: true))
            #expect(await code { _ = try await database.records(matching: query) } == .invalidArguments)
        }
    }
}
