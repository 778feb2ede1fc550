import CloudKit

func save(_ records: [CKRecord], in database: CKDatabase) async throws -> [String: CKError.Code] {
    var failed: [String: CKError.Code] = [:]
    let (saves, _) = try await database.modifyRecords(saving: records, deleting: [])
    for (id, result) in saves {
        if case .failure(let error) = result { failed[id.recordName] = (error as? CKError)?.code }
    }
    return failed
}
