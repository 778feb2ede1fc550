import CloudKit

func openParty(at url: URL, in container: CKContainer) async throws -> CKRecord? {
    do {
        let metadata = try await container.shareMetadata(for: url)
        try await container.accept(metadata)
        return try await container.sharedCloudDatabase.record(for: metadata.rootRecordID)
    } catch CKError.participantMayNeedVerification {
        // The invitation may be to an address that the person has not verified: open the URL in a browser.
        return nil
    }
}
