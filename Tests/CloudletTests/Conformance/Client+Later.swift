import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useLaterShareAccessRequester() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.AccessRequester.self
        let _: (NSCoder) -> CKShare.AccessRequester? = CKShare.AccessRequester.init(coder:)
        let _: KeyPath<CKShare.AccessRequester, CKUserIdentity> = \CKShare.AccessRequester.userIdentity
        let _: KeyPath<CKShare.AccessRequester, CKUserIdentity.LookupInfo> =
            \CKShare.AccessRequester.participantLookupInfo
    }

    @available(*, deprecated)
    static func useLaterShareBlockedIdentity() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.BlockedIdentity.self
        let _: (NSCoder) -> CKShare.BlockedIdentity? = CKShare.BlockedIdentity.init(coder:)
        let _: KeyPath<CKShare.BlockedIdentity, CKUserIdentity> = \CKShare.BlockedIdentity.userIdentity
    }

    @available(*, deprecated)
    static func useLaterShare() {
        let _: ReferenceWritableKeyPath<CKShare, Bool> = \CKShare.allowsAccessRequests
        let _: KeyPath<CKShare, [CKShare.AccessRequester]> = \CKShare.requesters
        let _: KeyPath<CKShare, [CKShare.BlockedIdentity]> = \CKShare.blockedIdentities
        let _: (CKShare) -> ([CKShare.AccessRequester]) -> Void = CKShare.denyRequesters(_:)
        let _: (CKShare) -> ([CKShare.AccessRequester]) -> Void = CKShare.blockRequesters(_:)
        let _: (CKShare) -> ([CKShare.BlockedIdentity]) -> Void = CKShare.unblockIdentities(_:)
    }

    @available(*, deprecated)
    static func useLaterShareParticipant() {
        let _: KeyPath<CKShare.Participant, Bool> = \CKShare.Participant.isApprovedRequester
        let _: KeyPath<CKShare.Participant, Date?> = \CKShare.Participant.dateAddedToShare
    }

    @available(*, deprecated)
    static func useLaterShareRequestAccessOperation() {
        let _: ([URL]) -> CKShareRequestAccessOperation = CKShareRequestAccessOperation.init(shareURLs:)
        let _: ReferenceWritableKeyPath<CKShareRequestAccessOperation, [URL]?> =
            \CKShareRequestAccessOperation.shareURLs
        let _: ReferenceWritableKeyPath<CKShareRequestAccessOperation, Client.Ended<URL>?> =
            \CKShareRequestAccessOperation.perShareAccessRequestResultBlock
        let _: ReferenceWritableKeyPath<CKShareRequestAccessOperation, ((Result<Void, any Error>) -> Void)?> =
            \CKShareRequestAccessOperation.shareAccessRequestResultBlock
    }

    @available(*, deprecated)
    static func useLaterAllowedSharingOptions() {
        let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, Bool> =
            \CKAllowedSharingOptions.allowsParticipantsToInviteOthers
        let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, Bool> =
            \CKAllowedSharingOptions.allowsAccessRequests
    }

    @available(*, deprecated)
    static func useLaterRecordZoneEncryptionScope() {
        let _: CKRecordZone.EncryptionScope = CKRecordZone.EncryptionScope.perRecord
        let _: CKRecordZone.EncryptionScope = CKRecordZone.EncryptionScope.perZone
    }

    @available(*, deprecated)
    static func useLaterRecordZone() {
        let _: ReferenceWritableKeyPath<CKRecordZone, CKRecordZone.EncryptionScope> =
            \CKRecordZone.encryptionScope
    }
}
