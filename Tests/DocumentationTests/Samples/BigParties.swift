import CloudKit

func namesOfBigParties(in database: CKDatabase, _ zoneID: CKRecordZone.ID) async throws -> [String] {
    let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "guests > %d", 10))
    query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let (matches, _) = try await database.records(matching: query, inZoneWith: zoneID)
    var names: [String] = []
    for (_, result) in matches { names.append(try result.get()["name"] ?? "") }
    return names
}
