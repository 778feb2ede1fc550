/// The cause and the remedy of each error that an app sees. `CKError.Code`, the command `explain` and the
/// console show these texts.
///
/// The raw value is the name of the code in `CKError.Code`.
package enum ErrorGuide: String, Hashable, Sendable, CaseIterable {
    case internalError, partialFailure, networkUnavailable, networkFailure, badContainer
    case serviceUnavailable, requestRateLimited, missingEntitlement, notAuthenticated, permissionFailure
    case unknownItem, invalidArguments, resultsTruncated, serverRecordChanged, serverRejectedRequest
    case assetFileNotFound, assetFileModified, incompatibleVersion, constraintViolation
    case operationCancelled, changeTokenExpired, batchRequestFailed, zoneBusy, badDatabase
    case quotaExceeded, zoneNotFound, limitExceeded, userDeletedZone, tooManyParticipants, alreadyShared
    case referenceViolation, managedAccountRestricted, participantMayNeedVerification
    case serverResponseLost, assetNotAvailable, accountTemporarilyUnavailable, participantAlreadyInvited

    /// The cause: a sentence that is true for every error of this code.
    package var cause: String { text.cause }

    /// The next step, in one sentence.
    package var remedy: String { text.remedy }

    private var text: (cause: String, remedy: String) { Self.texts[self] ?? ("", "") }

    private static let texts: [ErrorGuide: (cause: String, remedy: String)] = [
        .internalError: (
            "The client or the server has a bug, or a response could not be decoded.",
            "Report it with the text of the error; repeating the request rarely helps."
        ),
        .partialFailure: (
            "Some items of a batch failed and others succeeded; older completion blocks report this code.",
            "Read partialErrorsByItemID and handle each item's error by its code."
        ),
        .networkUnavailable: (
            "The client could not connect to the server, so nothing was sent.",
            "Wait for a network, then repeat the request."
        ),
        .networkFailure: (
            "The connection failed during the request, or the request timed out.",
            "Repeat the request later, with longer timeouts if the network is slow."
        ),
        .badContainer: (
            "The container is unknown, its server is not configured, or the API token is for another one.",
            "Check the container's name, the server's address and the API token."
        ),
        .serviceUnavailable: (
            "The service is unavailable or overloaded.",
            "Try again after retryAfterSeconds."
        ),
        .requestRateLimited: (
            "The client sent more requests than the rate limit allows.",
            "Try again after retryAfterSeconds; send fewer and larger batches."
        ),
        .missingEntitlement: (
            "The app lacks the entitlement for the service.",
            "Add the entitlement to the app; Cloudlet's server never returns this code."
        ),
        .notAuthenticated: (
            "Nobody is signed in, or the session has ended.",
            "Sign in, then repeat the request; public data can be read without a sign-in."
        ),
        .permissionFailure: (
            "The person lacks the permission to read, create or change this record or record type.",
            "Ask the operator for a role with this permission, or have the record's creator make the change."
        ),
        .unknownItem: (
            "The record, subscription or share was deleted or never existed.",
            "Delete the local copy, or save it as a new record."
        ),
        .invalidArguments: (
            "The request is invalid: a field, predicate, token or name is wrong.",
            "Correct the part that the text names; the same request fails again."
        ),
        .resultsTruncated: (
            "The results were truncated; current servers no longer return this code.",
            "Fetch the rest with the cursor."
        ),
        .serverRecordChanged: (
            "The server has a newer version of the record, or a new record's name is already in use.",
            "Apply your changes to serverRecord, which has the current change tag, and save it."
        ),
        .serverRejectedRequest: (
            "The server rejected the request, or failed to process it.",
            "If the text names a part, correct it; otherwise send the request again later."
        ),
        .assetFileNotFound: (
            "The file of an asset does not exist.",
            "Write the file before the save, or save without the asset."
        ),
        .assetFileModified: (
            "The file of an asset changed during the upload, or its upload receipt has expired.",
            "Save the record again."
        ),
        .incompatibleVersion: (
            "The app is older than the oldest version that may use the container.",
            "Ask the person to update the app."
        ),
        .constraintViolation: (
            "Another record has the value of a field that must be unique.",
            "Save another value, or change the other record."
        ),
        .operationCancelled: (
            "The operation or its task was cancelled; changes that the server had already made remain.",
            "Start a new operation if the result is still needed."
        ),
        .changeTokenExpired: (
            "The change token has expired, so the server cannot list the changes since then.",
            "Delete the cached records, and fetch without a token."
        ),
        .batchRequestFailed: (
            "This item is valid, but another item of its atomic batch failed.",
            "Correct the items with other error codes, then send the whole batch again."
        ),
        .zoneBusy: (
            "Too many clients write to the zone at the same time.",
            "Try again after retryAfterSeconds, with larger batches."
        ),
        .badDatabase: (
            "This database does not support the operation.",
            "Use the private database or one of its zones."
        ),
        .quotaExceeded: (
            "The storage quota is exhausted.",
            "Delete records, or ask the person to delete some; deletions are still possible."
        ),
        .zoneNotFound: (
            "The zone was deleted or never existed.",
            "Create the zone, then repeat the request."
        ),
        .limitExceeded: (
            "The request has more items or bytes than the limit allows.",
            "Split the request in half and send both; move large values into assets."
        ),
        .userDeletedZone: (
            "The person deleted the app's data in the settings.",
            "Ask the person before you create the zone again; otherwise delete the local copy."
        ),
        .tooManyParticipants: (
            "The share has more participants than the limit allows.",
            "Remove participants, or share by a public link."
        ),
        .alreadyShared: (
            "The record, or one of its parents or children, is already in another share.",
            "Use the existing share, or delete it first."
        ),
        .referenceViolation: (
            "The target of a parent or validating reference is missing, or records still refer to the item.",
            "Save the target before the reference; delete referring records before their target."
        ),
        .managedAccountRestricted: (
            "The administrator of the account does not allow the operation.",
            "Do not repeat the request; only the administrator can lift the restriction."
        ),
        .participantMayNeedVerification: (
            "The invitation may be for an address that the person has not confirmed.",
            "Ask the person to open the share's URL in a browser, and to confirm the address there."
        ),
        .serverResponseLost: (
            "The response to a sent request was lost, so the server may have executed the request.",
            "Fetch the records to see the result, or repeat the request."
        ),
        .assetNotAvailable: (
            "The file of an asset cannot be opened, or its download URL is missing.",
            "Check the file's permissions, or fetch the record again."
        ),
        .accountTemporarilyUnavailable: (
            "The account needs its owner's attention first.",
            "Ask the person to check the account; keep the changes until then."
        ),
        .participantAlreadyInvited: (
            "The person has already been invited.",
            "Send the existing invitation again instead of a new one."
        ),
    ]
}

extension RecordError.Code {
    /// The error that an app sees for this code.
    package var guide: ErrorGuide {
        switch self {
        case .accessDenied: .permissionFailure
        case .accountRestricted: .managedAccountRestricted
        case .accountUnavailable: .accountTemporarilyUnavailable
        case .atomicFailure: .batchRequestFailed
        case .authenticationFailed, .authenticationRequired: .notAuthenticated
        case .badContainer: .badContainer
        case .badRequest: .invalidArguments
        case .conflict, .exists: .serverRecordChanged
        case .internalError: .serverRejectedRequest
        case .limitExceeded: .limitExceeded
        case .notFound: .unknownItem
        case .quotaExceeded: .quotaExceeded
        case .throttled: .requestRateLimited
        case .tryAgainLater: .serviceUnavailable
        case .validatingReference: .referenceViolation
        case .zoneNotFound, .zoneReset: .zoneNotFound
        case .zonePurged: .userDeletedZone
        case .zoneBusy: .zoneBusy
        case .changeTokenExpired: .changeTokenExpired
        case .badDatabase: .badDatabase
        case .assetRejected, .uploadExpired: .assetFileModified
        case .alreadyShared: .alreadyShared
        case .tooManyParticipants: .tooManyParticipants
        case .participantMayNeedVerification: .participantMayNeedVerification
        case .participantAlreadyInvited: .participantAlreadyInvited
        }
    }
}
