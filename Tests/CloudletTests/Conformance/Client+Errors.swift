import CloudKit
import Foundation

extension Client {
    @available(*, deprecated)
    static func useError() {
        let _: CKError.Type = CKError.self
        let _: String = CKError.errorDomain
    }

    @available(*, deprecated)
    static func useErrorCode() {
        let _: any (Sendable & RawRepresentable<Int>).Type = CKError.Code.self
        let _: CKError.Code = CKError.Code.internalError
        let _: CKError.Code = CKError.Code.partialFailure
        let _: CKError.Code = CKError.Code.networkUnavailable
        let _: CKError.Code = CKError.Code.networkFailure
        let _: CKError.Code = CKError.Code.badContainer
        let _: CKError.Code = CKError.Code.serviceUnavailable
        let _: CKError.Code = CKError.Code.requestRateLimited
        let _: CKError.Code = CKError.Code.missingEntitlement
        let _: CKError.Code = CKError.Code.notAuthenticated
        let _: CKError.Code = CKError.Code.permissionFailure
        let _: CKError.Code = CKError.Code.unknownItem
        let _: CKError.Code = CKError.Code.invalidArguments
        let _: CKError.Code = CKError.Code.resultsTruncated
        let _: CKError.Code = CKError.Code.serverRecordChanged
        let _: CKError.Code = CKError.Code.serverRejectedRequest
        let _: CKError.Code = CKError.Code.assetFileNotFound
        let _: CKError.Code = CKError.Code.assetFileModified
        let _: CKError.Code = CKError.Code.incompatibleVersion
        let _: CKError.Code = CKError.Code.constraintViolation
    }

    @available(*, deprecated)
    static func useErrorCode2() {
        let _: CKError.Code = CKError.Code.operationCancelled
        let _: CKError.Code = CKError.Code.changeTokenExpired
        let _: CKError.Code = CKError.Code.batchRequestFailed
        let _: CKError.Code = CKError.Code.zoneBusy
        let _: CKError.Code = CKError.Code.badDatabase
        let _: CKError.Code = CKError.Code.quotaExceeded
        let _: CKError.Code = CKError.Code.zoneNotFound
        let _: CKError.Code = CKError.Code.limitExceeded
        let _: CKError.Code = CKError.Code.userDeletedZone
        let _: CKError.Code = CKError.Code.tooManyParticipants
        let _: CKError.Code = CKError.Code.alreadyShared
        let _: CKError.Code = CKError.Code.referenceViolation
        let _: CKError.Code = CKError.Code.managedAccountRestricted
        let _: CKError.Code = CKError.Code.participantMayNeedVerification
        let _: CKError.Code = CKError.Code.serverResponseLost
        let _: CKError.Code = CKError.Code.assetNotAvailable
        let _: CKError.Code = CKError.Code.accountTemporarilyUnavailable
        let _: CKError.Code = CKError.Code.participantAlreadyInvited
    }

    @available(*, deprecated)
    static func useError2() {
        let _: KeyPath<CKError, [AnyHashable: any Error]?> = \CKError.partialErrorsByItemID
        let _: KeyPath<CKError, CKRecord?> = \CKError.ancestorRecord
        let _: KeyPath<CKError, CKRecord?> = \CKError.serverRecord
        let _: KeyPath<CKError, CKRecord?> = \CKError.clientRecord
        let _: KeyPath<CKError, Double?> = \CKError.retryAfterSeconds
    }
}
