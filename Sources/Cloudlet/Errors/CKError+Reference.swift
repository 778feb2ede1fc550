extension CKError.Code {
    /// What happened: a sentence that is true for every error of this code.
    public var cause: String { Self.reference[self]?.cause ?? "" }

    /// What to do next, in one sentence.
    public var remedy: String { Self.reference[self]?.remedy ?? "" }

    private static let reference: [CKError.Code: (cause: String, remedy: String)] = [
        .internalError: (
            "The client or the server has a fault, or an answer could not be read.",
            "Report it with the text of the error; sending the same again rarely helps."
        ),
        .partialFailure: (
            "Some items of a batch failed and others did not; older completion blocks hear of it.",
            "Look at partialErrorsByItemID and deal with each item by its own code."
        ),
        .networkUnavailable: (
            "No connection could be made, so nothing was sent.",
            "Wait for a network, then send the same again."
        ),
        .networkFailure: (
            "The request failed on its way, or took longer than it may.",
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
            "More requests came than may.",
            "Wait for retryAfterSeconds; send fewer and larger batches."
        ),
        .missingEntitlement: (
            "The app was not allowed to use the service.",
            "Give the app what it lacks; no server of ours answers so."
        ),
        .notAuthenticated: (
            "Nobody is signed in, or the session has ended.",
            "Sign in, then send the same again; public data can be read meanwhile."
        ),
        .permissionFailure: (
            "The person may not do that to this record or type.",
            "Ask for a role that may, or leave it to the record's creator."
        ),
        .unknownItem: (
            "The record, subscription or share does not exist, or no longer.",
            "Drop the local copy, or save it as a new record."
        ),
        .invalidArguments: (
            "The request makes no sense: a field, predicate, token or name is wrong.",
            "Mend what the text names; sending the same again never helps."
        ),
        .resultsTruncated: (
            "Results were cut off; no server says so any more.",
            "Go on with the cursor."
        ),
        .serverRecordChanged: (
            "Somebody saved a newer version, or the record exists already.",
            "Merge into serverRecord, which has the valid change tag, and save that."
        ),
        .serverRejectedRequest: (
            "The server refused for good.",
            "Mend what the text names; the same request is refused again."
        ),
        .assetFileNotFound: (
            "The file of an asset does not exist.",
            "Write the file first, or leave the asset out."
        ),
        .assetFileModified: (
            "The file of an asset changed while it was sent, or its proof is too old.",
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
            "The operation or its task was cancelled; what the server did before stays done.",
            "Nothing, unless it is still wanted: then start a new operation."
        ),
        .changeTokenExpired: (
            "The change token is older than the server remembers.",
            "Forget what was cached, and fetch with no token."
        ),
        .batchRequestFailed: (
            "This item was fine, and another one of its atomic batch was not.",
            "Mend the items with an error of their own, then send all again."
        ),
        .zoneBusy: (
            "Too many writers of one zone at once.",
            "Try again after retryAfterSeconds, with larger batches."
        ),
        .badDatabase: (
            "That cannot be done in this database.",
            "Use the private database, or a zone of it."
        ),
        .quotaExceeded: (
            "The storage is full.",
            "Delete something, or ask the person to; deletions go through."
        ),
        .zoneNotFound: (
            "The zone does not exist, or no longer.",
            "Make the zone, then send the same again."
        ),
        .limitExceeded: (
            "The request has more items or bytes than it may.",
            "Send it in halves; move large values into assets."
        ),
        .userDeletedZone: (
            "The person removed the app's data in the settings.",
            "Ask before making the zone again; delete the local copy otherwise."
        ),
        .tooManyParticipants: (
            "A share has more participants than it may.",
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
            "Leave it; the person cannot change that."
        ),
        .participantMayNeedVerification: (
            "The invitation may be for an address that the person has not confirmed.",
            "Let the person confirm the address, then accept again."
        ),
        .serverResponseLost: (
            "The request was sent and its answer lost: it may have been carried out.",
            "Fetch to see what became of it, or send the same again."
        ),
        .assetNotAvailable: (
            "The file of an asset cannot be opened, or its address was not given.",
            "See that this app may use the file, or fetch the record again."
        ),
        .accountTemporarilyUnavailable: (
            "The account needs its owner's attention first.",
            "Ask the person to look at the account; keep the changes until then."
        ),
        .participantAlreadyInvited: (
            "The person has an invitation already.",
            "Send that one again instead of a new one."
        ),
    ]
}
