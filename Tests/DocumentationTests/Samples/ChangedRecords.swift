import CloudKit

func changedRecords(
    in database: CKDatabase, _ zoneID: CKRecordZone.ID, since token: CKServerChangeToken?
) async throws -> [CKRecord.ID] {
    var page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
    var changed = Array(page.modificationResultsByID.keys)
    while page.moreComing {
        page = try await database.recordZoneChanges(inZoneWith: zoneID, since: page.changeToken)
        changed += page.modificationResultsByID.keys
    }
    return changed
}
