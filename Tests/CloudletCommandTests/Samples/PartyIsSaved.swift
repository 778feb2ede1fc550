import CloudKit
import Testing

func aPartyIsSaved() async throws {
    let party = CKRecord(recordType: "Party")
    party["name"] = "Coffee"
    let database = CKContainer.default().privateCloudDatabase
    let saved = try await database.save(party)
    #expect(try await database.record(for: saved.recordID)["name"] == "Coffee")
}
