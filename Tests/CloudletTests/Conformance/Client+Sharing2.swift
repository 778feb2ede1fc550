import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useAllowedSharingOptions() {
        let _: any (NSObject & NSSecureCoding & NSCopying & Sendable).Type = CKAllowedSharingOptions.self
        let _: (NSCoder) -> CKAllowedSharingOptions? = CKAllowedSharingOptions.init(coder:)
        let _:
            (CKSharingParticipantPermissionOption, CKSharingParticipantAccessOption) ->
                CKAllowedSharingOptions = CKAllowedSharingOptions.init(
                    allowedParticipantPermissionOptions:allowedParticipantAccessOptions:)
        let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, CKSharingParticipantPermissionOption> =
            \CKAllowedSharingOptions.allowedParticipantPermissionOptions
        let _: ReferenceWritableKeyPath<CKAllowedSharingOptions, CKSharingParticipantAccessOption> =
            \CKAllowedSharingOptions.allowedParticipantAccessOptions
        let _: CKAllowedSharingOptions = CKAllowedSharingOptions.standard
    }

    @available(*, deprecated)
    static func useSystemSharingUIObserver() {
        let _: any (NSObject & Sendable).Type = CKSystemSharingUIObserver.self
        let _: (CKContainer) -> CKSystemSharingUIObserver = CKSystemSharingUIObserver.init(container:)
        let _:
            ReferenceWritableKeyPath<
                CKSystemSharingUIObserver,
                (@Sendable (_ recordID: CKRecord.ID, _ saveResult: Result<CKShare, any Error>) -> Void)?
            > = \CKSystemSharingUIObserver.systemSharingUIDidSaveShareBlock
        let _:
            ReferenceWritableKeyPath<
                CKSystemSharingUIObserver,
                (@Sendable (_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
            > = \CKSystemSharingUIObserver.systemSharingUIDidStopSharingBlock
    }

    @available(*, deprecated)
    static func useSharingConstants() {
        let _: CKShare.ParticipantAcceptanceStatus.Type = CKShare_Participant_AcceptanceStatus.self
        let _: CKShare.ParticipantPermission.Type = CKShare_Participant_Permission.self
        let _: CKShare.ParticipantRole.Type = CKShare_Participant_Role.self
        let _: CKShare.ParticipantType.Type = CKShare_Participant_ParticipantType.self
    }
}
