import CloudKit

func saveFirstParty(at serverURL: URL) async throws -> CKRecord {
    let connection = try await CloudConnection(url: serverURL).signingIn(as: "alice")
    let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
    let party = CKRecord(recordType: "Party")
    party["name"] = "Coffee"
    return try await container.privateCloudDatabase.save(party)
}
