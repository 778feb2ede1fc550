import CloudKit

func saveGuests(of party: CKRecord, in database: CKDatabase) async throws {
    do {
        try await database.save(party)
    } catch let error as CKError where error.code == .serverRecordChanged {
        guard let server = error.serverRecord else { throw error }
        server["guests"] = party["guests"] as? Int
        try await database.save(server)
    }
}
