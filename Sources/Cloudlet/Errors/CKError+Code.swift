public import Foundation

extension CKError {
    /// The kinds of errors. The raw values are those of CloudKit.
    public enum Code: Int, _ErrorCodeProtocol, CaseIterable, Sendable {
        /// The error type that has these codes.
        public typealias _ErrorType = CKError

        /// The client or the server failed internally.
        case internalError = 1
        /// Some items of a batch failed; `partialErrorsByItemID` has their errors. The older completion
        /// blocks report it, and `CKSyncEngine` for a zone of which it could not fetch some records.
        case partialFailure = 2
        /// No connection to the server could be made; nothing was sent.
        case networkUnavailable = 3
        /// The connection failed or timed out during the request.
        case networkFailure = 4
        /// The container is unknown, or the credentials belong to another one.
        case badContainer = 5
        /// The service is down. `retryAfterSeconds` usually says when to try again.
        case serviceUnavailable = 6
        /// Too many requests. `retryAfterSeconds` says when to try again.
        case requestRateLimited = 7
        /// The app is not allowed to use the service.
        case missingEntitlement = 8
        /// The request needs a signed-in person, and nobody is signed in.
        case notAuthenticated = 9
        /// The person is not permitted to do this.
        case permissionFailure = 10
        /// The item does not exist, or was deleted.
        case unknownItem = 11
        /// The request is invalid; the error text says why.
        case invalidArguments = 12
        /// Cloudlet never returns this error.
        case resultsTruncated = 13
        /// The server has a newer version of the record: merge your changes into `serverRecord` and save
        /// that.
        case serverRecordChanged = 14
        /// The server refused the request, or failed to process it; after a failure, the same request may
        /// succeed later.
        case serverRejectedRequest = 15
        /// The file of an asset does not exist.
        case assetFileNotFound = 16
        /// The file of an asset changed during the upload.
        case assetFileModified = 17
        /// The app is older than the oldest version that may use the container.
        case incompatibleVersion = 18
        /// Another record already has this value in a field that must be unique.
        case constraintViolation = 19
        /// The operation was cancelled.
        case operationCancelled = 20
        /// The change token is too old: discard the cached data and fetch with a nil token.
        case changeTokenExpired = 21
        /// This item is valid, but another item of its atomic batch failed.
        case batchRequestFailed = 22
        /// Too many clients write to the zone at once.
        case zoneBusy = 23
        /// The database does not support this operation.
        case badDatabase = 24
        /// The storage quota is used up.
        case quotaExceeded = 25
        /// The zone does not exist.
        case zoneNotFound = 26
        /// The request has too many items or bytes: split it in half and send both parts.
        case limitExceeded = 27
        /// The person deleted the app's data: ask before you upload it again.
        case userDeletedZone = 28
        /// A share has too many participants.
        case tooManyParticipants = 29
        /// The record, or one of its parents or children, is in another share.
        case alreadyShared = 30
        /// The target of a parent reference or validating reference does not exist.
        case referenceViolation = 31
        /// The account's administrator does not allow it.
        case managedAccountRestricted = 32
        /// The invitation may be for an address that the person has not verified.
        case participantMayNeedVerification = 33
        /// The request was sent, but the answer was lost: the server may have carried it out.
        case serverResponseLost = 34
        /// The file of an asset cannot be opened.
        case assetNotAvailable = 35
        /// The account's owner has to act before the account can be used.
        case accountTemporarilyUnavailable = 36
        /// The person already has an invitation.
        case participantAlreadyInvited = 37
    }

    /// The client or the server failed internally.
    public static var internalError: CKError.Code { .internalError }
    /// Some items of a batch failed; `partialErrorsByItemID` has their errors. The older completion blocks
    /// report it, and `CKSyncEngine` for a zone of which it could not fetch some records.
    public static var partialFailure: CKError.Code { .partialFailure }
    /// No connection to the server could be made; nothing was sent.
    public static var networkUnavailable: CKError.Code { .networkUnavailable }
    /// The connection failed or timed out during the request.
    public static var networkFailure: CKError.Code { .networkFailure }
    /// The container is unknown, or the credentials belong to another one.
    public static var badContainer: CKError.Code { .badContainer }
    /// The service is down. `retryAfterSeconds` usually says when to try again.
    public static var serviceUnavailable: CKError.Code { .serviceUnavailable }
    /// Too many requests. `retryAfterSeconds` says when to try again.
    public static var requestRateLimited: CKError.Code { .requestRateLimited }
    /// The app is not allowed to use the service.
    public static var missingEntitlement: CKError.Code { .missingEntitlement }
    /// The request needs a signed-in person, and nobody is signed in.
    public static var notAuthenticated: CKError.Code { .notAuthenticated }
    /// The person is not permitted to do this.
    public static var permissionFailure: CKError.Code { .permissionFailure }
    /// The item does not exist, or was deleted.
    public static var unknownItem: CKError.Code { .unknownItem }
    /// The request is invalid; the error text says why.
    public static var invalidArguments: CKError.Code { .invalidArguments }
    /// Cloudlet never returns this error.
    public static var resultsTruncated: CKError.Code { .resultsTruncated }
    /// The server has a newer version of the record: merge your changes into `serverRecord` and save that.
    public static var serverRecordChanged: CKError.Code { .serverRecordChanged }
    /// The server refused the request, or failed to process it; after a failure, the same request may succeed
    /// later.
    public static var serverRejectedRequest: CKError.Code { .serverRejectedRequest }
    /// The file of an asset does not exist.
    public static var assetFileNotFound: CKError.Code { .assetFileNotFound }
    /// The file of an asset changed during the upload.
    public static var assetFileModified: CKError.Code { .assetFileModified }
    /// The app is older than the oldest version that may use the container.
    public static var incompatibleVersion: CKError.Code { .incompatibleVersion }
    /// Another record already has this value in a field that must be unique.
    public static var constraintViolation: CKError.Code { .constraintViolation }
    /// The operation was cancelled.
    public static var operationCancelled: CKError.Code { .operationCancelled }
    /// The change token is too old: discard the cached data and fetch with a nil token.
    public static var changeTokenExpired: CKError.Code { .changeTokenExpired }
    /// This item is valid, but another item of its atomic batch failed.
    public static var batchRequestFailed: CKError.Code { .batchRequestFailed }
    /// Too many clients write to the zone at once.
    public static var zoneBusy: CKError.Code { .zoneBusy }
    /// The database does not support this operation.
    public static var badDatabase: CKError.Code { .badDatabase }
    /// The storage quota is used up.
    public static var quotaExceeded: CKError.Code { .quotaExceeded }
    /// The zone does not exist.
    public static var zoneNotFound: CKError.Code { .zoneNotFound }
    /// The request has too many items or bytes: split it in half and send both parts.
    public static var limitExceeded: CKError.Code { .limitExceeded }
    /// The person deleted the app's data: ask before you upload it again.
    public static var userDeletedZone: CKError.Code { .userDeletedZone }
    /// A share has too many participants.
    public static var tooManyParticipants: CKError.Code { .tooManyParticipants }
    /// The record, or one of its parents or children, is in another share.
    public static var alreadyShared: CKError.Code { .alreadyShared }
    /// The target of a parent reference or validating reference does not exist.
    public static var referenceViolation: CKError.Code { .referenceViolation }
    /// The account's administrator does not allow it.
    public static var managedAccountRestricted: CKError.Code { .managedAccountRestricted }
    /// The invitation may be for an address that the person has not verified.
    public static var participantMayNeedVerification: CKError.Code { .participantMayNeedVerification }
    /// The request was sent, but the answer was lost: the server may have carried it out.
    public static var serverResponseLost: CKError.Code { .serverResponseLost }
    /// The file of an asset cannot be opened.
    public static var assetNotAvailable: CKError.Code { .assetNotAvailable }
    /// The account's owner has to act before the account can be used.
    public static var accountTemporarilyUnavailable: CKError.Code { .accountTemporarilyUnavailable }
    /// The person already has an invitation.
    public static var participantAlreadyInvited: CKError.Code { .participantAlreadyInvited }
}
