extension CKError.Code {
    /// The cause, in one sentence that is true for every error of this code.
    public var cause: String { Self.reference[self]?.cause ?? "" }

    /// The next step for the app or the person, in one sentence.
    public var remedy: String { Self.reference[self]?.remedy ?? "" }

    private static let reference: [CKError.Code: (cause: String, remedy: String)] = [
        .internalError: (
            "The client or the server has a fault, or an answer could not be read.",
            "Report it with the text of the error; sending the same again rarely helps."
        ),
        .partialFailure: (
            "Some items of a batch failed and others did not; only older completion blocks report it.",
            "Look at partialErrorsByItemID and deal with each item by its own code."
        ),
        .networkUnavailable: (
            "No connection could be made, so nothing was sent.",
            "Wait for a network, then send the same again."
        ),
        .networkFailure: (
            "The connection failed during the request, or the request timed out.",
            "Send the same again later, with longer time-outs if the network is slow."
        ),
        .badContainer: (
            "The container is unknown, its server is not configured, or the token is for another one.",
            "Check the container's name, the server's address and the API token."
        ),
        .serviceUnavailable: (
            "The service is down or busy.",
            "Try again after retryAfterSeconds."
        ),
        .requestRateLimited: (
            "The client sent more requests than the rate limit allows.",
            "Wait for retryAfterSeconds; send fewer and larger batches."
        ),
        .missingEntitlement: (
            "The app is not allowed to use the service.",
            "Give the app the missing entitlement; Cloudlet's servers never return this error."
        ),
        .notAuthenticated: (
            "Nobody is signed in, or the session has ended.",
            "Sign in, then send the same again; public data can be read meanwhile."
        ),
        .permissionFailure: (
            "The person is not permitted to do this with the record or type.",
            "Ask for a role with the permission, or let the record's creator do it."
        ),
        .unknownItem: (
            "The record, subscription or share does not exist, or was deleted.",
            "Drop the local copy, or save it as a new record."
        ),
        .invalidArguments: (
            "The request is invalid: a field, predicate, token or name is wrong.",
            "Correct the part that the text names; sending the same again never helps."
        ),
        .resultsTruncated: (
            "Results were cut off; current servers never return this error.",
            "Fetch the rest with the cursor."
        ),
        .serverRecordChanged: (
            "Somebody saved a newer version, or the record exists already.",
            "Merge into serverRecord, which has the valid change tag, and save that."
        ),
        .serverRejectedRequest: (
            "The server refused the request permanently.",
            "Correct the part that the text names; the same request is refused again."
        ),
        .assetFileNotFound: (
            "The file of an asset does not exist.",
            "Write the file first, or leave the asset out."
        ),
        .assetFileModified: (
            "The file of an asset changed during the upload, or its receipt has expired.",
            "Save the record again."
        ),
        .incompatibleVersion: (
            "The app is older than the oldest that may use the container.",
            "Ask the person to update the app."
        ),
        .constraintViolation: (
            "Another record has the value of a field that must be unique.",
            "Choose another value, or change the other record."
        ),
        .operationCancelled: (
            "The operation or its task was cancelled; changes that the server made before remain.",
            "Start a new operation if the result is still needed."
        ),
        .changeTokenExpired: (
            "The change token is older than the history that the server keeps.",
            "Discard the cached data, and fetch without a token."
        ),
        .batchRequestFailed: (
            "This item is valid, but another item of its atomic batch failed.",
            "Correct the items with an error of their own, then send all again."
        ),
        .zoneBusy: (
            "Too many writers of one zone at once.",
            "Try again after retryAfterSeconds, with larger batches."
        ),
        .badDatabase: (
            "The database does not support this operation.",
            "Use the private database, or a zone of it."
        ),
        .quotaExceeded: (
            "The storage is full.",
            "Delete something, or ask the person to do so; deletions still succeed."
        ),
        .zoneNotFound: (
            "The zone does not exist, or was deleted.",
            "Create the zone, then send the same again."
        ),
        .limitExceeded: (
            "The request has more items or bytes than the limit allows.",
            "Send it in halves; move large values into assets."
        ),
        .userDeletedZone: (
            "The person removed the app's data in the settings.",
            "Ask the person before you create the zone again; otherwise delete the local copy."
        ),
        .tooManyParticipants: (
            "A share has more participants than the limit allows.",
            "Remove some, or share by link."
        ),
        .alreadyShared: (
            "The record, or one above or below it, is in another share.",
            "Use that share, or end it first."
        ),
        .referenceViolation: (
            "The target of a parent or validating reference is missing, or others still refer to the record.",
            "Save the target first; delete what refers to a record before the record."
        ),
        .managedAccountRestricted: (
            "The administrator of the account forbids it.",
            "Do not try again; only the administrator can change that."
        ),
        .participantMayNeedVerification: (
            "The invitation may be for an address that the person has not confirmed.",
            "Let the person confirm the address, then accept again."
        ),
        .serverResponseLost: (
            "The request was sent and its answer lost: it may have been carried out.",
            "Fetch to see whether it was carried out, or send the same again."
        ),
        .assetNotAvailable: (
            "The file of an asset cannot be opened, or the server sent no address for it.",
            "Make sure that the app may read the file, or fetch the record again."
        ),
        .accountTemporarilyUnavailable: (
            "The account's owner has to act before the account can be used.",
            "Ask the person to look at the account; keep the changes until then."
        ),
        .participantAlreadyInvited: (
            "The person has an invitation already.",
            "Send the existing invitation again."
        ),
    ]
}
