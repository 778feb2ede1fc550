import CloudKit

/// For a participant: leaves a share.
func leave(_ share: CKShare, in container: CKContainer) async throws {
    try await container.sharedCloudDatabase.deleteRecord(withID: share.recordID)
}

/// For the owner: removes a participant.
func remove(_ guest: CKShare.Participant, from share: CKShare, in container: CKContainer) async throws {
    share.removeParticipant(guest)
    try await container.privateCloudDatabase.save(share)
}

/// For the owner: ends the share of a record.
func stopSharing(_ party: CKRecord, in container: CKContainer) async throws {
    guard let share = party.share else { return }
    try await container.privateCloudDatabase.deleteRecord(withID: share.recordID)
}
