public import Foundation

extension CKError {
    /// What went wrong. Raw values are those of the real framework.
    public enum Code: Int, _ErrorCodeProtocol, CaseIterable, Sendable {
        /// The error that has this code.
        public typealias _ErrorType = CKError

        /// The client or the server has a fault.
        case internalError = 1
        /// Some items failed; `partialErrorsByItemID` says which. Old completion blocks only.
        case partialFailure = 2
        /// There is no network.
        case networkUnavailable = 3
        /// There is a network, and the request failed on it.
        case networkFailure = 4
        /// The container is unknown, or the credentials are not for it.
        case badContainer = 5
        /// The service is down; usually says when to try again.
        case serviceUnavailable = 6
        /// Too many requests; says when to try again.
        case requestRateLimited = 7
        /// The app may not use the service.
        case missingEntitlement = 8
        /// Nobody is signed in, and the request needs somebody.
        case notAuthenticated = 9
        /// The person may not do that.
        case permissionFailure = 10
        /// The item does not exist, or no longer.
        case unknownItem = 11
        /// The request makes no sense; the text says why.
        case invalidArguments = 12
        /// Never returned.
        case resultsTruncated = 13
        /// The server has a newer version; merge into `serverRecord`.
        case serverRecordChanged = 14
        /// The server refused for good.
        case serverRejectedRequest = 15
        /// The file of an asset is missing.
        case assetFileNotFound = 16
        /// The file of an asset changed while it was sent.
        case assetFileModified = 17
        /// The app is older than the oldest one allowed.
        case incompatibleVersion = 18
        /// Another record has the value of a field that must be unique.
        case constraintViolation = 19
        /// The operation was cancelled.
        case operationCancelled = 20
        /// The token is too old: drop what was cached and fetch with no token.
        case changeTokenExpired = 21
        /// This item was fine, another one of its atomic batch was not.
        case batchRequestFailed = 22
        /// Too many writers of one zone at once.
        case zoneBusy = 23
        /// That cannot be done in this database.
        case badDatabase = 24
        /// The storage is full.
        case quotaExceeded = 25
        /// The zone does not exist.
        case zoneNotFound = 26
        /// The request is too large: send it in halves.
        case limitExceeded = 27
        /// The person deleted the app's data: ask before sending it again.
        case userDeletedZone = 28
        /// A share has too many participants.
        case tooManyParticipants = 29
        /// The record, or one above or below it, is in another share.
        case alreadyShared = 30
        /// The target of a parent or validating reference is missing.
        case referenceViolation = 31
        /// The account's administrator forbids it.
        case managedAccountRestricted = 32
        /// The person may have an invitation under an unverified address.
        case participantMayNeedVerification = 33
        /// The request was sent and the answer lost: it may have been carried out.
        case serverResponseLost = 34
        /// The file of an asset cannot be opened now.
        case assetNotAvailable = 35
        /// The account needs its owner's attention first.
        case accountTemporarilyUnavailable = 36
        /// The person has an invitation already.
        case participantAlreadyInvited = 37
    }

    /// The client or the server has a fault.
    public static var internalError: CKError.Code { .internalError }
    /// Some items failed; `partialErrorsByItemID` says which. Old completion blocks only.
    public static var partialFailure: CKError.Code { .partialFailure }
    /// There is no network.
    public static var networkUnavailable: CKError.Code { .networkUnavailable }
    /// There is a network, and the request failed on it.
    public static var networkFailure: CKError.Code { .networkFailure }
    /// The container is unknown, or the credentials are not for it.
    public static var badContainer: CKError.Code { .badContainer }
    /// The service is down; usually says when to try again.
    public static var serviceUnavailable: CKError.Code { .serviceUnavailable }
    /// Too many requests; says when to try again.
    public static var requestRateLimited: CKError.Code { .requestRateLimited }
    /// The app may not use the service.
    public static var missingEntitlement: CKError.Code { .missingEntitlement }
    /// Nobody is signed in, and the request needs somebody.
    public static var notAuthenticated: CKError.Code { .notAuthenticated }
    /// The person may not do that.
    public static var permissionFailure: CKError.Code { .permissionFailure }
    /// The item does not exist, or no longer.
    public static var unknownItem: CKError.Code { .unknownItem }
    /// The request makes no sense; the text says why.
    public static var invalidArguments: CKError.Code { .invalidArguments }
    /// Never returned.
    public static var resultsTruncated: CKError.Code { .resultsTruncated }
    /// The server has a newer version; merge into `serverRecord`.
    public static var serverRecordChanged: CKError.Code { .serverRecordChanged }
    /// The server refused for good.
    public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }
    /// The file of an asset is missing.
    public static var assetFileNotFound: CKError.Code { .assetFileNotFound }
    /// The file of an asset changed while it was sent.
    public static var assetFileModified: CKError.Code { .assetFileModified }
    /// The app is older than the oldest one allowed.
    public static var incompatibleVersion: CKError.Code { .incompatibleVersion }
    /// Another record has the value of a field that must be unique.
    public static var constraintViolation: CKError.Code { .constraintViolation }
    /// The operation was cancelled.
    public static var operationCancelled: CKError.Code { .operationCancelled }
    /// The token is too old: drop what was cached and fetch with no token.
    public static var changeTokenExpired: CKError.Code { .changeTokenExpired }
    /// This item was fine, another one of its atomic batch was not.
    public static var batchRequestFailed: CKError.Code { .batchRequestFailed }
    /// Too many writers of one zone at once.
    public static var zoneBusy: CKError.Code { .zoneBusy }
    /// That cannot be done in this database.
    public static var badDatabase: CKError.Code { .badDatabase }
    /// The storage is full.
    public static var quotaExceeded: CKError.Code { .quotaExceeded }
    /// The zone does not exist.
    public static var zoneNotFound: CKError.Code { .zoneNotFound }
    /// The request is too large: send it in halves.
    public static var limitExceeded: CKError.Code { .limitExceeded }
    /// The person deleted the app's data: ask before sending it again.
    public static var userDeletedZone: CKError.Code { .userDeletedZone }
    /// A share has too many participants.
    public static var tooManyParticipants: CKError.Code { .tooManyParticipants }
    /// The record, or one above or below it, is in another share.
    public static var alreadyShared: CKError.Code { .alreadyShared }
    /// The target of a parent or validating reference is missing.
    public static var referenceViolation: CKError.Code { .referenceViolation }
    /// The account's administrator forbids it.
    public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }
    /// The person may have an invitation under an unverified address.
    public static var participantMayNeedVerification: CKError.Code { .participantMayNeedVerification }
    /// The request was sent and the answer lost: it may have been carried out.
    public static var serverResponseLost: CKError.Code { .serverResponseLost }
    /// The file of an asset cannot be opened now.
    public static var assetNotAvailable: CKError.Code { .assetNotAvailable }
    /// The account needs its owner's attention first.
    public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }
    /// The person has an invitation already.
    public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
