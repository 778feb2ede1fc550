import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useSharingA() {
        let _: any (CKRecord & Sendable).Type = CKShare.self
        let _: CKShareParticipant.Type = CKShare.Participant.self
        let _: CKShareMetadata.Type = CKShare.Metadata.self
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantAcceptanceStatus.self
        let _: [CKShare.ParticipantAcceptanceStatus] = [.unknown, .pending, .accepted, .removed]
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantPermission.self
        let _: [CKShare.ParticipantPermission] = [.unknown, .none, .readOnly, .readWrite]
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantRole.self
        let _: [CKShare.ParticipantRole] = [.unknown, .owner, .administrator, .privateUser, .publicUser]
        let _: any (Sendable & RawRepresentable<Int>).Type = CKShare.ParticipantType.self
        let _: [CKShare.ParticipantType] = [.unknown, .owner, .privateUser, .publicUser]
        let _: CKShare.SystemFieldKey.Type = CKShare.SystemFieldKey.self
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.title
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.thumbnailImageData
        let _: CKRecord.FieldKey = CKShare.SystemFieldKey.shareType
        let _: (CKRecord) -> CKShare = CKShare.init(rootRecord:)
        let _: (CKRecord, CKRecord.ID) -> CKShare = CKShare.init(rootRecord:shareID:)
        let _: (CKRecordZone.ID) -> CKShare = CKShare.init(recordZoneID:)
        let _: (NSCoder) -> CKShare? = CKShare.init(coder:)
        let _: Writable<CKShare, CKShare.ParticipantPermission> = \.publicPermission
        let _: Readable<CKShare, URL?> = \.url
        let _: Readable<CKShare, [CKShare.Participant]> = \.participants
        let _: Readable<CKShare, CKShare.Participant> = \.owner
        let _: Readable<CKShare, CKShare.Participant?> = \.currentUserParticipant
        let _: (CKShare) -> (CKShare.Participant) -> Void = CKShare.addParticipant(_:)
        let _: (CKShare) -> (CKShare.Participant) -> Void = CKShare.removeParticipant(_:)
        let _: (CKShare) -> (CKShare.Participant.ID) -> URL? = CKShare.oneTimeURL(for:)
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.Participant.self
        let _: (NSCoder) -> CKShare.Participant? = CKShare.Participant.init(coder:)
        let _: String.Type = CKShare.Participant.ID.self
        let _: CKShare.ParticipantAcceptanceStatus.Type = CKShare.Participant.AcceptanceStatus.self
        let _: CKShare.ParticipantPermission.Type = CKShare.Participant.Permission.self
        let _: CKShare.ParticipantRole.Type = CKShare.Participant.Role.self
        let _: CKShare.ParticipantType.Type = CKShare.Participant.ParticipantType.self
        let _: Readable<CKShare.Participant, CKUserIdentity> = \.userIdentity
        let _: Writable<CKShare.Participant, CKShare.ParticipantRole> = \.role
        let _: Writable<CKShare.Participant, CKShare.ParticipantType> = \.type
        let _: Readable<CKShare.Participant, CKShare.ParticipantAcceptanceStatus> = \.acceptanceStatus
        let _: Writable<CKShare.Participant, CKShare.ParticipantPermission> = \.permission
        let _: Readable<CKShare.Participant, CKShare.Participant.ID> = \.participantID
        let _: () -> CKShare.Participant = CKShare.Participant.oneTimeURLParticipant
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKShare.Metadata.self
        let _: (NSCoder) -> CKShare.Metadata? = CKShare.Metadata.init(coder:)
        let _: Readable<CKShare.Metadata, String> = \.containerIdentifier
        let _: Readable<CKShare.Metadata, CKShare> = \.share
        let _: Readable<CKShare.Metadata, CKRecord.ID?> = \.hierarchicalRootRecordID
        let _: Readable<CKShare.Metadata, CKShare.ParticipantRole> = \.participantRole
        let _: Readable<CKShare.Metadata, CKShare.ParticipantAcceptanceStatus> = \.participantStatus
    }

    @available(*, deprecated)
    static func useSharingB() {
        let _: Readable<CKShare.Metadata, CKShare.ParticipantPermission> = \.participantPermission
        let _: Readable<CKShare.Metadata, CKUserIdentity> = \.ownerIdentity
        let _: Readable<CKShare.Metadata, CKRecord?> = \.rootRecord
        let _: Readable<CKShare.Metadata, CKShare.ParticipantType> = \.participantType
        let _: Readable<CKShare.Metadata, CKRecord.ID> = \.rootRecordID
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKUserIdentity.self
        let _: (NSCoder) -> CKUserIdentity? = CKUserIdentity.init(coder:)
        let _: CKUserIdentityLookupInfo.Type = CKUserIdentity.LookupInfo.self
        let _: Readable<CKUserIdentity, CKUserIdentity.LookupInfo?> = \.lookupInfo
        let _: Readable<CKUserIdentity, PersonNameComponents?> = \.nameComponents
        let _: Readable<CKUserIdentity, CKRecord.ID?> = \.userRecordID
        let _: Readable<CKUserIdentity, [String]> = \.contactIdentifiers
        let _: Readable<CKUserIdentity, Bool> = \.hasiCloudAccount
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKUserIdentity.LookupInfo.self
        let _: (NSCoder) -> CKUserIdentity.LookupInfo? = CKUserIdentity.LookupInfo.init(coder:)
        let _: (String) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(emailAddress:)
        let _: (String) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(phoneNumber:)
        let _: (CKRecord.ID) -> CKUserIdentity.LookupInfo = CKUserIdentity.LookupInfo.init(userRecordID:)
        let _: ([String]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(withEmails:)
        let _: ([String]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(
            withPhoneNumbers:)
        let _: ([CKRecord.ID]) -> [CKUserIdentity.LookupInfo] = CKUserIdentity.LookupInfo.lookupInfos(with:)
        let _: Readable<CKUserIdentity.LookupInfo, String?> = \.emailAddress
        let _: Readable<CKUserIdentity.LookupInfo, String?> = \.phoneNumber
        let _: Readable<CKUserIdentity.LookupInfo, CKRecord.ID?> = \.userRecordID
        let _: any (CKOperation & Sendable).Type = CKAcceptSharesOperation.self
        let _: () -> CKAcceptSharesOperation = CKAcceptSharesOperation.init
        let _: ([CKShare.Metadata]) -> CKAcceptSharesOperation = CKAcceptSharesOperation.init(shareMetadatas:)
        let _: Writable<CKAcceptSharesOperation, [CKShare.Metadata]?> = \.shareMetadatas
        let _: Writable<CKAcceptSharesOperation, ((CKShare.Metadata, CKShare?, (any Error)?) -> Void)?> =
            \.perShareCompletionBlock
        let _: Writable<CKAcceptSharesOperation, (((any Error)?) -> Void)?> = \.acceptSharesCompletionBlock
        let _: Writable<CKAcceptSharesOperation, ((CKShare.Metadata, Outcome<CKShare>) -> Void)?> =
            \.perShareResultBlock
        let _: Writable<CKAcceptSharesOperation, ((Outcome<Void>) -> Void)?> = \.acceptSharesResultBlock
        let _: any (CKOperation & Sendable).Type = CKFetchShareMetadataOperation.self
        let _: () -> CKFetchShareMetadataOperation = CKFetchShareMetadataOperation.init
        let _: ([URL]) -> CKFetchShareMetadataOperation = CKFetchShareMetadataOperation.init(shareURLs:)
        let _: Writable<CKFetchShareMetadataOperation, [URL]?> = \.shareURLs
        let _: Writable<CKFetchShareMetadataOperation, Bool> = \.shouldFetchRootRecord
        let _: Writable<CKFetchShareMetadataOperation, [CKRecord.FieldKey]?> = \.rootRecordDesiredKeys
        let _: Writable<CKFetchShareMetadataOperation, ((URL, CKShare.Metadata?, (any Error)?) -> Void)?> =
            \.perShareMetadataBlock
        let _: Writable<CKFetchShareMetadataOperation, (((any Error)?) -> Void)?> =
            \.fetchShareMetadataCompletionBlock
        let _: Writable<CKFetchShareMetadataOperation, ((URL, Outcome<CKShare.Metadata>) -> Void)?> =
            \.perShareMetadataResultBlock
        let _: Writable<CKFetchShareMetadataOperation, ((Outcome<Void>) -> Void)?> =
            \.fetchShareMetadataResultBlock
    }

    @available(*, deprecated)
    static func useSharingC() {
        let _: any (CKOperation & Sendable).Type = CKFetchShareParticipantsOperation.self
        let _: () -> CKFetchShareParticipantsOperation = CKFetchShareParticipantsOperation.init
        let _: ([CKUserIdentity.LookupInfo]) -> CKFetchShareParticipantsOperation =
            CKFetchShareParticipantsOperation.init(userIdentityLookupInfos:)
        let _: Writable<CKFetchShareParticipantsOperation, [CKUserIdentity.LookupInfo]?> =
            \.userIdentityLookupInfos
        let _: Writable<CKFetchShareParticipantsOperation, ((CKShare.Participant) -> Void)?> =
            \.shareParticipantFetchedBlock
        let _: Writable<CKFetchShareParticipantsOperation, (((any Error)?) -> Void)?> =
            \.fetchShareParticipantsCompletionBlock
        let _:
            Writable<
                CKFetchShareParticipantsOperation,
                ((CKUserIdentity.LookupInfo, Outcome<CKShare.Participant>) -> Void)?
            > = \.perShareParticipantResultBlock
        let _: Writable<CKFetchShareParticipantsOperation, ((Outcome<Void>) -> Void)?> =
            \.fetchShareParticipantsResultBlock
        let _: any (CKOperation & Sendable).Type = CKDiscoverUserIdentitiesOperation.self
        let _: () -> CKDiscoverUserIdentitiesOperation = CKDiscoverUserIdentitiesOperation.init
        let _: ([CKUserIdentity.LookupInfo]) -> CKDiscoverUserIdentitiesOperation =
            CKDiscoverUserIdentitiesOperation.init(userIdentityLookupInfos:)
        let _: Writable<CKDiscoverUserIdentitiesOperation, [CKUserIdentity.LookupInfo]> =
            \.userIdentityLookupInfos
        let _:
            Writable<
                CKDiscoverUserIdentitiesOperation, ((CKUserIdentity, CKUserIdentity.LookupInfo) -> Void)?
            > = \.userIdentityDiscoveredBlock
        let _: Writable<CKDiscoverUserIdentitiesOperation, (((any Error)?) -> Void)?> =
            \.discoverUserIdentitiesCompletionBlock
        let _: Writable<CKDiscoverUserIdentitiesOperation, ((Outcome<Void>) -> Void)?> =
            \.discoverUserIdentitiesResultBlock
        let _: any (CKOperation & Sendable).Type = CKDiscoverAllUserIdentitiesOperation.self
        let _: () -> CKDiscoverAllUserIdentitiesOperation = CKDiscoverAllUserIdentitiesOperation.init
        let _: Writable<CKDiscoverAllUserIdentitiesOperation, ((CKUserIdentity) -> Void)?> =
            \.userIdentityDiscoveredBlock
        let _: Writable<CKDiscoverAllUserIdentitiesOperation, (((any Error)?) -> Void)?> =
            \.discoverAllUserIdentitiesCompletionBlock
        let _: Writable<CKDiscoverAllUserIdentitiesOperation, ((Outcome<Void>) -> Void)?> =
            \.discoverAllUserIdentitiesResultBlock
        let _: any (OptionSet & Sendable).Type = CKSharingParticipantAccessOption.self
        let _: (UInt) -> CKSharingParticipantAccessOption = CKSharingParticipantAccessOption.init(rawValue:)
        let _: [CKSharingParticipantAccessOption] = [.anyoneWithLink, .specifiedRecipientsOnly, .any]
        let _: any (OptionSet & Sendable).Type = CKSharingParticipantPermissionOption.self
        let _: (UInt) -> CKSharingParticipantPermissionOption = CKSharingParticipantPermissionOption.init(
            rawValue:)
        let _: [CKSharingParticipantPermissionOption] = [.readOnly, .readWrite, .any]
    }

    @available(*, deprecated)
    static func useSharingD() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKAllowedSharingOptions.self
        let _: (NSCoder) -> CKAllowedSharingOptions? = CKAllowedSharingOptions.init(coder:)
        let _:
            (CKSharingParticipantPermissionOption, CKSharingParticipantAccessOption) ->
                CKAllowedSharingOptions = CKAllowedSharingOptions.init(
                    allowedParticipantPermissionOptions:allowedParticipantAccessOptions:)
        let _: Writable<CKAllowedSharingOptions, CKSharingParticipantPermissionOption> =
            \.allowedParticipantPermissionOptions
        let _: Writable<CKAllowedSharingOptions, CKSharingParticipantAccessOption> =
            \.allowedParticipantAccessOptions
        let _: CKAllowedSharingOptions = .standard
        let _: any (NSObject & Sendable).Type = CKSystemSharingUIObserver.self
        let _: (CKContainer) -> CKSystemSharingUIObserver = CKSystemSharingUIObserver.init(container:)
        let _: Writable<CKSystemSharingUIObserver, (@Sendable (CKRecord.ID, Outcome<CKShare>) -> Void)?> =
            \.systemSharingUIDidSaveShareBlock
        let _: Writable<CKSystemSharingUIObserver, (@Sendable (CKRecord.ID, Outcome<Void>) -> Void)?> =
            \.systemSharingUIDidStopSharingBlock
        let _: CKShare.ParticipantAcceptanceStatus.Type = CKShare_Participant_AcceptanceStatus.self
        let _: CKShare.ParticipantPermission.Type = CKShare_Participant_Permission.self
        let _: CKShare.ParticipantRole.Type = CKShare_Participant_Role.self
        let _: CKShare.ParticipantType.Type = CKShare_Participant_ParticipantType.self
    }
}
