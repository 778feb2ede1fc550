import CloudKit

func follow(
    _ zoneID: CKRecordZone.ID, of container: CKContainer, fetchChanges: @Sendable () async -> Void
) async {
    let pushes = await container.pushes()
    await fetchChanges()
    for await push in pushes where (push as? CKRecordZoneNotification)?.recordZoneID == zoneID {
        await fetchChanges()
    }
}
