import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useShare() {
        let _: any (CKRecord & Sendable).Type = CKShare.self
        let _: CKShareParticipant.Type = CKShare.Participant.self
        let _: CKShareMetadata.Type = CKShare.Metadata.self
    }

    @available(*, deprecated)
    static func useShareParticipantAcceptanceStatus() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantAcceptanceStatus.self
        let _: CKShare.ParticipantAcceptanceStatus = CKShare.ParticipantAcceptanceStatus.unknown
        let _: CKShare.ParticipantAcceptanceStatus = CKShare.ParticipantAcceptanceStatus.pending
        let _: CKShare.ParticipantAcceptanceStatus = CKShare.ParticipantAcceptanceStatus.accepted
        let _: CKShare.ParticipantAcceptanceStatus = CKShare.ParticipantAcceptanceStatus.removed
    }

    @available(*, deprecated)
    static func useShareParticipantPermission() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantPermission.self
        let _: CKShare.ParticipantPermission = CKShare.ParticipantPermission.unknown
        let _: CKShare.ParticipantPermission = CKShare.ParticipantPermission.none
        let _: CKShare.ParticipantPermission = CKShare.ParticipantPermission.readOnly
        let _: CKShare.ParticipantPermission = CKShare.ParticipantPermission.readWrite
    }

    @available(*, deprecated)
    static func useShareParticipantRole() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantRole.self
        let _: CKShare.ParticipantRole = CKShare.ParticipantRole.unknown
        let _: CKShare.ParticipantRole = CKShare.ParticipantRole.owner
        let _: CKShare.ParticipantRole = CKShare.ParticipantRole.administrator
        let _: CKShare.ParticipantRole = CKShare.ParticipantRole.privateUser
        let _: CKShare.ParticipantRole = CKShare.ParticipantRole.publicUser
    }

    @available(*, deprecated)
    static func useShareParticipantType() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantType.self
        let _: CKShare.ParticipantType = CKShare.ParticipantType.unknown
        let _: CKShare.ParticipantType = CKShare.ParticipantType.owner
        let _: CKShare.ParticipantType = CKShare.ParticipantType.privateUser
        let _: CKShare.ParticipantType = CKShare.ParticipantType.publicUser
    }

    @available(*, deprecated)
    static func useShareSystemFieldKey() {
        let _: CKShare.SystemFieldKey.Type = CKShare.SystemFieldKey.self
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.title
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.thumbnailImageData
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.shareType
    }

    @available(*, deprecated)
    static func useShare2() {
        let _: (CKRecord) -> CKShare = CKShare.init(rootRecord:)
        let _: (CKRecord, CKRecord.ID) -> CKShare = CKShare.init(rootRecord:shareID:)
        let _: (CKRecordZone.ID) -> CKShare = CKShare.init(recordZoneID:)
        let _: (NSCoder) -> CKShare? = CKShare.init(coder:)
        let _: ReferenceWritableKeyPath<CKShare, CKShare.ParticipantPermission> = \CKShare.publicPermission
        let _: KeyPath<CKShare, URL?> = \CKShare.url
        let _: KeyPath<CKShare, [CKShare.Participant]> = \CKShare.participants
        let _: KeyPath<CKShare, CKShare.Participant> = \CKShare.owner
        let _: KeyPath<CKShare, CKShare.Participant?> = \CKShare.currentUserParticipant
        let _: (CKShare) -> (CKShare.Participant) -> Void = CKShare.addParticipant(_:)
        let _: (CKShare) -> (CKShare.Participant) -> Void = CKShare.removeParticipant(_:)
        let _: (CKShare) -> (CKShare.Participant.ID) -> URL? = CKShare.oneTimeURL(for:)
    }

    @available(*, deprecated)
    static func useShareParticipant() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.Participant.self
        let _: (NSCoder) -> CKShare.Participant? = CKShare.Participant.init(coder:)
        let _: String.Type = CKShare.Participant.ID.self
        let _: CKShare.ParticipantAcceptanceStatus.Type = CKShare.Participant.AcceptanceStatus.self
        let _: CKShare.ParticipantPermission.Type = CKShare.Participant.Permission.self
        let _: CKShare.ParticipantRole.Type = CKShare.Participant.Role.self
        let _: CKShare.ParticipantType.Type = CKShare.Participant.ParticipantType.self
        let _: KeyPath<CKShare.Participant, CKUserIdentity> = \CKShare.Participant.userIdentity
        let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantRole> =
            \CKShare.Participant.role
        let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantType> =
            \CKShare.Participant.type
        let _: KeyPath<CKShare.Participant, CKShare.ParticipantAcceptanceStatus> =
            \CKShare.Participant.acceptanceStatus
        let _: ReferenceWritableKeyPath<CKShare.Participant, CKShare.ParticipantPermission> =
            \CKShare.Participant.permission
    }

    @available(*, deprecated)
    static func useShareParticipant2() {
        let _: KeyPath<CKShare.Participant, CKShare.Participant.ID> = \CKShare.Participant.participantID
        let _: () -> CKShare.Participant = CKShare.Participant.oneTimeURLParticipant
    }

    @available(*, deprecated)
    static func useShareMetadata() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.Metadata.self
        let _: (NSCoder) -> CKShare.Metadata? = CKShare.Metadata.init(coder:)
        let _: KeyPath<CKShare.Metadata, String> = \CKShare.Metadata.containerIdentifier
        let _: KeyPath<CKShare.Metadata, CKShare> = \CKShare.Metadata.share
        let _: KeyPath<CKShare.Metadata, CKRecord.ID?> = \CKShare.Metadata.hierarchicalRootRecordID
        let _: KeyPath<CKShare.Metadata, CKShare.ParticipantRole> = \CKShare.Metadata.participantRole
        let _: KeyPath<CKShare.Metadata, CKShare.ParticipantAcceptanceStatus> =
            \CKShare.Metadata.participantStatus
        let _: KeyPath<CKShare.Metadata, CKShare.ParticipantPermission> =
            \CKShare.Metadata.participantPermission
        let _: KeyPath<CKShare.Metadata, CKUserIdentity> = \CKShare.Metadata.ownerIdentity
        let _: KeyPath<CKShare.Metadata, CKRecord?> = \CKShare.Metadata.rootRecord
        let _: KeyPath<CKShare.Metadata, CKShare.ParticipantType> = \CKShare.Metadata.participantType
        let _: KeyPath<CKShare.Metadata, CKRecord.ID> = \CKShare.Metadata.rootRecordID
    }

    @available(*, deprecated)
    static func useUserIdentity() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKUserIdentity.self
        let _: (NSCoder) -> CKUserIdentity? = CKUserIdentity.init(coder:)
        let _: CKUserIdentityLookupInfo.Type = CKUserIdentity.LookupInfo.self
        let _: KeyPath<CKUserIdentity, CKUserIdentity.LookupInfo?> = \CKUserIdentity.lookupInfo
        let _: KeyPath<CKUserIdentity, PersonNameComponents?> = \CKUserIdentity.nameComponents
        let _: KeyPath<CKUserIdentity, CKRecord.ID?> = \CKUserIdentity.userRecordID
        let _: KeyPath<CKUserIdentity, [String]> = \CKUserIdentity.contactIdentifiers
        let _: KeyPath<CKUserIdentity, Bool> = \CKUserIdentity.hasiCloudAccount
    }

    @available(*, deprecated)
    static func useUserIdentityLookupInfo() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKUserIdentity.LookupInfo.self
        let _: (NSCoder) -> CKUserIdentity.LookupInfo? = CKUserIdentity.LookupInfo.init(coder:)
        let _: (String) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(emailAddress:)
        let _: (String) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(phoneNumber:)
        let _: (CKRecord.ID) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(userRecordID:)
        let _: ([String]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(withEmails:)
        let _: ([String]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(
            withPhoneNumbers:)
        let _: ([CKRecord.ID]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(with:)
        let _: KeyPath<CKUserIdentity.LookupInfo, String?> = \CKUserIdentity.LookupInfo.emailAddress
        let _: KeyPath<CKUserIdentity.LookupInfo, String?> = \CKUserIdentity.LookupInfo.phoneNumber
        let _: KeyPath<CKUserIdentity.LookupInfo, CKRecord.ID?> = \CKUserIdentity.LookupInfo.userRecordID
    }

    @available(*, deprecated)
    static func useAcceptSharesOperation() {
        let _: any (CKOperation & Sendable).Type = CKAcceptSharesOperation.self
        let _: () -> CKAcceptSharesOperation = CKAcceptSharesOperation.init
        let _: ([CKShare.Metadata]) -> CKAcceptSharesOperation = CKAcceptSharesOperation.init(shareMetadatas:)
        let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, [CKShare.Metadata]?> =
            \CKAcceptSharesOperation.shareMetadatas
        let _:
            ReferenceWritableKeyPath<
                CKAcceptSharesOperation, ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?
            > = \CKAcceptSharesOperation.perShareCompletionBlock
        let _: ReferenceWritableKeyPath<CKAcceptSharesOperation, (((any Error)?) -> Void)?> =
            \CKAcceptSharesOperation.acceptSharesCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKAcceptSharesOperation,
                ((_ metadata: CKShare.Metadata, _ metadataResult: Result<CKShare, any Error>) -> Void)?
            > = \CKAcceptSharesOperation.perShareResultBlock
    }

    @available(*, deprecated)
    static func useAcceptSharesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKAcceptSharesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKAcceptSharesOperation.acceptSharesResultBlock
    }

    @available(*, deprecated)
    static func useFetchShareMetadataOperation() {
        let _: any (CKOperation & Sendable).Type = CKFetchShareMetadataOperation.self
        let _: () -> CKFetchShareMetadataOperation = CKFetchShareMetadataOperation.init
        let _: ([URL]) -> CKFetchShareMetadataOperation = CKFetchShareMetadataOperation.init(shareURLs:)
        let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, [URL]?> =
            \CKFetchShareMetadataOperation.shareURLs
        let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, Bool> =
            \CKFetchShareMetadataOperation.shouldFetchRootRecord
        let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, [CKRecord.FieldKey]?> =
            \CKFetchShareMetadataOperation.rootRecordDesiredKeys
        let _:
            ReferenceWritableKeyPath<
                CKFetchShareMetadataOperation, ((URL, CKShare.Metadata?, (any Error)?) -> Void)?
            > = \CKFetchShareMetadataOperation.perShareMetadataBlock
        let _: ReferenceWritableKeyPath<CKFetchShareMetadataOperation, (((any Error)?) -> Void)?> =
            \CKFetchShareMetadataOperation.fetchShareMetadataCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchShareMetadataOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchShareMetadataOperation,
                ((_ shareURL: URL, _ shareMetadataResult: Result<CKShare.Metadata, any Error>) -> Void)?
            > = \CKFetchShareMetadataOperation.perShareMetadataResultBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchShareMetadataOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchShareMetadataOperation.fetchShareMetadataResultBlock
    }

    @available(*, deprecated)
    static func useFetchShareParticipantsOperation() {
        let _: any (CKOperation & Sendable).Type = CKFetchShareParticipantsOperation.self
        let _: () -> CKFetchShareParticipantsOperation = CKFetchShareParticipantsOperation.init
        let _: ([CKUserIdentity.LookupInfo]) -> CKFetchShareParticipantsOperation =
            CKFetchShareParticipantsOperation.init(userIdentityLookupInfos:)
        let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, [CKUserIdentity.LookupInfo]?> =
            \CKFetchShareParticipantsOperation.userIdentityLookupInfos
        let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, ((CKShare.Participant) -> Void)?> =
            \CKFetchShareParticipantsOperation.shareParticipantFetchedBlock
        let _: ReferenceWritableKeyPath<CKFetchShareParticipantsOperation, (((any Error)?) -> Void)?> =
            \CKFetchShareParticipantsOperation.fetchShareParticipantsCompletionBlock
    }

    @available(*, deprecated)
    static func useFetchShareParticipantsOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKFetchShareParticipantsOperation,
                (
                    (
                        _ lookupInfo: CKUserIdentity.LookupInfo,
                        _ shareParticipantResult: Result<CKShare.Participant, any Error>
                    ) -> Void
                )?
            > = \CKFetchShareParticipantsOperation.perShareParticipantResultBlock
        let _:
            ReferenceWritableKeyPath<
                CKFetchShareParticipantsOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKFetchShareParticipantsOperation.fetchShareParticipantsResultBlock
    }

    @available(*, deprecated)
    static func useDiscoverUserIdentitiesOperation() {
        let _: any (CKOperation & Sendable).Type = CKDiscoverUserIdentitiesOperation.self
        let _: () -> CKDiscoverUserIdentitiesOperation = CKDiscoverUserIdentitiesOperation.init
        let _: ([CKUserIdentity.LookupInfo]) -> CKDiscoverUserIdentitiesOperation =
            CKDiscoverUserIdentitiesOperation.init(userIdentityLookupInfos:)
        let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, [CKUserIdentity.LookupInfo]> =
            \CKDiscoverUserIdentitiesOperation.userIdentityLookupInfos
        let _:
            ReferenceWritableKeyPath<
                CKDiscoverUserIdentitiesOperation, ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
            > = \CKDiscoverUserIdentitiesOperation.userIdentityDiscoveredBlock
        let _: ReferenceWritableKeyPath<CKDiscoverUserIdentitiesOperation, (((any Error)?) -> Void)?> =
            \CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesCompletionBlock
    }

    @available(*, deprecated)
    static func useDiscoverUserIdentitiesOperation2() {
        let _:
            ReferenceWritableKeyPath<
                CKDiscoverUserIdentitiesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKDiscoverUserIdentitiesOperation.discoverUserIdentitiesResultBlock
    }

    @available(*, deprecated)
    static func useDiscoverAllUserIdentitiesOperation() {
        let _: any (CKOperation & Sendable).Type = CKDiscoverAllUserIdentitiesOperation.self
        let _: () -> CKDiscoverAllUserIdentitiesOperation = CKDiscoverAllUserIdentitiesOperation.init
        let _: ReferenceWritableKeyPath<CKDiscoverAllUserIdentitiesOperation, ((CKUserIdentity) -> Void)?> =
            \CKDiscoverAllUserIdentitiesOperation.userIdentityDiscoveredBlock
        let _: ReferenceWritableKeyPath<CKDiscoverAllUserIdentitiesOperation, (((any Error)?) -> Void)?> =
            \CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesCompletionBlock
        let _:
            ReferenceWritableKeyPath<
                CKDiscoverAllUserIdentitiesOperation, ((_ operationResult: Result<Void, any Error>) -> Void)?
            > = \CKDiscoverAllUserIdentitiesOperation.discoverAllUserIdentitiesResultBlock
    }

    @available(*, deprecated)
    static func useSharingParticipantAccessOption() {
        let _: any (OptionSet & Sendable).Type = CKSharingParticipantAccessOption.self
        let _: (UInt) -> CKSharingParticipantAccessOption = CKSharingParticipantAccessOption.init(rawValue:)
        let _: CKSharingParticipantAccessOption = CKSharingParticipantAccessOption.anyoneWithLink
        let _: CKSharingParticipantAccessOption = CKSharingParticipantAccessOption.specifiedRecipientsOnly
        let _: CKSharingParticipantAccessOption = CKSharingParticipantAccessOption.any
    }

    @available(*, deprecated)
    static func useSharingParticipantPermissionOption() {
        let _: any (OptionSet & Sendable).Type = CKSharingParticipantPermissionOption.self
        let _: (UInt) -> CKSharingParticipantPermissionOption = CKSharingParticipantPermissionOption.init(
            rawValue:)
        let _: CKSharingParticipantPermissionOption = CKSharingParticipantPermissionOption.readOnly
        let _: CKSharingParticipantPermissionOption = CKSharingParticipantPermissionOption.readWrite
        let _: CKSharingParticipantPermissionOption = CKSharingParticipantPermissionOption.any
    }
}
