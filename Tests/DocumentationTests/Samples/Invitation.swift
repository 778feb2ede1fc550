import CloudKit

func invite(_ address: String, to party: CKRecord, in container: CKContainer) async throws -> URL? {
    let guest = try await container.shareParticipant(forEmailAddress: address)
    guest.permission = .readWrite
    let share = CKShare(rootRecord: party)
    share[CKShare.SystemFieldKey.title] = "Our party"
    share.addParticipant(guest)
    let (saves, _) = try await container.privateCloudDatabase.modifyRecords(
        saving: [party, share], deleting: [])
    for result in saves.values { _ = try result.get() }
    return share.url
}
