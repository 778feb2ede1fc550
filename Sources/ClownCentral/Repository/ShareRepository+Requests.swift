import Cloudlet
import Foundation
import Synchronization

/// Requests for access by people who have the URL of a note, and no invitation.
extension ShareRepository {
    /// Asks the owner of the share at a URL for access.
    func askForAccess(at url: URL) async throws {
        let operation = CKShareRequestAccessOperation(shareURLs: [url])
        let failure = Mutex<(any Error)?>(nil)
        operation.perShareAccessRequestResultBlock = { _, result in
            if case .failure(let error) = result { failure.withLock { $0 = error } }
        }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            operation.shareAccessRequestResultBlock = { result in
                if let error = failure.withLock({ $0 }) {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(with: result)
                }
            }
            container.add(operation)
        }
    }

    // MARK: The owner

    /// Allows or forbids requests for access by people who have the URL. To allow them, it first shares a
    /// note that is not shared; to forbid them, the note must be shared. Forbidding also drops pending
    /// requests.
    func takeRequests(_ note: Note, _ areAllowed: Bool) async throws -> SharedNote {
        if areAllowed { try checkRequests() }
        let (record, known) = try await own(note)
        if known == nil, !areAllowed { throw RepositoryError.notShared(note: note.text) }
        let share = known ?? newShare(of: record, note)
        share.allowsAccessRequests = areAllowed
        return try await save(share, of: record, note)
    }

    /// Invites a person who asks for access. The person must still accept.
    func approve(
        _ requester: CKShare.AccessRequester, of shared: SharedNote,
        _ permission: CKShare.ParticipantPermission
    ) async throws -> SharedNote {
        try checkInvitation(permission)
        let guest = try await participant(for: requester)
        guest.permission = permission
        shared.share.addParticipant(guest)
        return try await save(shared.share, of: shared.record, shared.note)
    }

    private func participant(
        for requester: CKShare.AccessRequester
    ) async throws -> CKShare.Participant {
        let operation = CKFetchShareParticipantsOperation(
            userIdentityLookupInfos: [requester.participantLookupInfo])
        let found = Mutex<Result<CKShare.Participant, any Error>?>(nil)
        operation.perShareParticipantResultBlock = { _, result in found.withLock { $0 = result } }
        return try await withCheckedThrowingContinuation { continuation in
            operation.fetchShareParticipantsResultBlock = { result in
                let one = found.withLock { $0 }
                switch (result, one) {
                case (.failure(let error), _): continuation.resume(throwing: error)
                case (.success, let one?): continuation.resume(with: one)
                case (.success, nil): continuation.resume(throwing: CKError(.internalError))
                }
            }
            container.add(operation)
        }
    }

    /// Denies a request for access, and every further one of the person if `blocks` is true.
    func deny(
        _ requester: CKShare.AccessRequester, of shared: SharedNote, blocks: Bool
    ) async throws -> SharedNote {
        if blocks {
            shared.share.blockRequesters([requester])
        } else {
            shared.share.denyRequesters([requester])
        }
        return try await save(shared.share, of: shared.record, shared.note)
    }

    /// Takes a person off the list of blocked people, so that the person can ask for access again.
    func unblock(_ person: CKShare.BlockedIdentity, of shared: SharedNote) async throws -> SharedNote {
        shared.share.unblockIdentities([person])
        return try await save(shared.share, of: shared.record, shared.note)
    }
}
