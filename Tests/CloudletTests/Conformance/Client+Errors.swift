import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useErrors() {
        let _: CKError.Type = CKError.self
        let _: String = CKError.errorDomain
        let _: any (Sendable & RawRepresentable<Int>).Type = CKError.Code.self
        let _: [CKError.Code] = [
            .internalError, .partialFailure, .networkUnavailable, .networkFailure, .badContainer,
            .serviceUnavailable, .requestRateLimited, .missingEntitlement, .notAuthenticated,
            .permissionFailure, .unknownItem, .invalidArguments, .resultsTruncated, .serverRecordChanged,
            .serverRejectedRequest, .assetFileNotFound, .assetFileModified, .incompatibleVersion,
            .constraintViolation, .operationCancelled, .changeTokenExpired, .batchRequestFailed, .zoneBusy,
            .badDatabase, .quotaExceeded, .zoneNotFound, .limitExceeded, .userDeletedZone,
            .tooManyParticipants, .alreadyShared, .referenceViolation, .managedAccountRestricted,
            .participantMayNeedVerification, .serverResponseLost, .assetNotAvailable,
            .accountTemporarilyUnavailable, .participantAlreadyInvited,
        ]
        let _: Readable<CKError, [AnyHashable: any Error]?> = \.partialErrorsByItemID
        let _: Readable<CKError, CKRecord?> = \.ancestorRecord
        let _: Readable<CKError, CKRecord?> = \.serverRecord
        let _: Readable<CKError, CKRecord?> = \.clientRecord
        let _: Readable<CKError, Double?> = \.retryAfterSeconds
    }
}
