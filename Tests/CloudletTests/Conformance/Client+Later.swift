import CloudKit
import Foundation

extension Client {
    /// Newer parts of the interface: requests for access to a share, encryption scopes and exported assets.
    @available(*, deprecated)
    static func useLater() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.AccessRequester.self
        let _: (NSCoder) -> CKShare.AccessRequester? = CKShare.AccessRequester.init(coder:)
        let _: Readable<CKShare.AccessRequester, CKUserIdentity> = \.userIdentity
        let _: Readable<CKShare.AccessRequester, CKUserIdentity.LookupInfo> = \.participantLookupInfo
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.BlockedIdentity.self
        let _: (NSCoder) -> CKShare.BlockedIdentity? = CKShare.BlockedIdentity.init(coder:)
        let _: Readable<CKShare.BlockedIdentity, CKUserIdentity> = \.userIdentity
        let _: Writable<CKShare, Bool> = \.allowsAccessRequests
        let _: Readable<CKShare, [CKShare.AccessRequester]> = \.requesters
        let _: Readable<CKShare, [CKShare.BlockedIdentity]> = \.blockedIdentities
        let _: (CKShare) -> ([CKShare.AccessRequester]) -> Void = CKShare.denyRequesters(_:)
        let _: (CKShare) -> ([CKShare.AccessRequester]) -> Void = CKShare.blockRequesters(_:)
        let _: (CKShare) -> ([CKShare.BlockedIdentity]) -> Void = CKShare.unblockIdentities(_:)
        let _: Readable<CKShare.Participant, Bool> = \.isApprovedRequester
        let _: Readable<CKShare.Participant, Date?> = \.dateAddedToShare
        let _: ([URL]) -> CKShareRequestAccessOperation = CKShareRequestAccessOperation.init(shareURLs:)
        let _: Writable<CKShareRequestAccessOperation, [URL]?> = \.shareURLs
        let _: Writable<CKShareRequestAccessOperation, Ended<URL>?> = \.perShareAccessRequestResultBlock
        let _: Writable<CKShareRequestAccessOperation, ((Outcome<Void>) -> Void)?> =
            \.shareAccessRequestResultBlock
        let _: Writable<CKAllowedSharingOptions, Bool> = \.allowsParticipantsToInviteOthers
        let _: Writable<CKAllowedSharingOptions, Bool> = \.allowsAccessRequests
        let _: [CKRecordZone.EncryptionScope] = [.perRecord, .perZone]
        let _: Writable<CKRecordZone, CKRecordZone.EncryptionScope> = \.encryptionScope
        let _: any (Codable & Sendable).Type = CKAsset.ExportedAssetID.self
        let _: (CKAsset.ExportedAssetID) -> CKAsset = CKAsset.init(importing:)
    }
}
