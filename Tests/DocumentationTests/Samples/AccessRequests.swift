import CloudKit

/// For the owner: allows people who have the URL to request access.
func takeRequests(for share: CKShare, in container: CKContainer) async throws {
    share.allowsAccessRequests = true
    try await container.privateCloudDatabase.save(share)
}

/// For a person without an invitation: requests access.
func askForAccess(
    at url: URL, in container: CKContainer, then: @escaping (Result<Void, any Error>) -> Void
) {
    let operation = CKShareRequestAccessOperation(shareURLs: [url])
    operation.perShareAccessRequestResultBlock = { _, result in then(result) }
    container.add(operation)
}

/// For the owner: invites the first person who requested access, and denies the others. A denied person can
/// request access again; a person whom `blockRequesters` names cannot.
func answerRequests(for share: CKShare, in container: CKContainer) async throws {
    guard let first = share.requesters.first else { return }
    share.denyRequesters(Array(share.requesters.dropFirst()))
    let operation = CKFetchShareParticipantsOperation(
        userIdentityLookupInfos: [first.participantLookupInfo])
    operation.perShareParticipantResultBlock = { _, result in
        if case .success(let guest) = result { share.addParticipant(guest) }
    }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        operation.fetchShareParticipantsResultBlock = { continuation.resume(with: $0) }
        container.add(operation)
    }
    try await container.privateCloudDatabase.save(share)
}
