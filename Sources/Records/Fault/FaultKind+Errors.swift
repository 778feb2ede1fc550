extension FaultKind {
    /// The faults that fail the first record that a batch saves. The usual rules of batches decide about the
    /// other records.
    package static let ofRecords: Set<FaultKind> = [
        .conflict, .recordDeleted, .notPermitted, .referenceViolation, .invalidItem,
    ]

    /// The error that the client receives; nil for faults that only delay or drop the answer, and for faults
    /// of pushes.
    package func error(afterSeconds seconds: Int) -> RecordError? {
        guard let (code, reason, nextStep) = errorTemplate else { return nil }
        return RecordError(
            code, reason, culprit: rawValue, nextStep: nextStep, retryAfter: seconds > 0 ? seconds : nil
        )
    }

    private typealias ErrorTemplate = (RecordError.Code, reason: String, nextStep: String)

    private var errorTemplate: ErrorTemplate? {
        switch self {
        case .zoneBusy, .unavailable, .rateLimited, .tokenExpired, .quotaFull, .signedOut, .limitExceeded,
            .zoneNotFound, .zonePurged:
            requestTemplate
        case .conflict, .recordDeleted, .notPermitted, .referenceViolation, .invalidItem: recordTemplate
        case .networkFailureBefore, .responseLost, .slow, .pushDrop, .pushDelay, .pushReorder, .pushDuplicate,
            .deviceOffline:
            nil
        }
    }

    private var requestTemplate: ErrorTemplate? {
        switch self {
        case .zoneBusy:
            (.zoneBusy, "zone is busy: CAS Op-Lock failed. Retry request", Self.waitAndRetry)
        case .unavailable: (.tryAgainLater, "service unavailable", Self.waitAndRetry)
        case .rateLimited: (.throttled, "too many requests", Self.waitAndRetry + ", and fewer of them")
        case .tokenExpired:
            (
                .changeTokenExpired, "client knowledge differs from server knowledge",
                "delete the local copy and fetch it from the start, without a token"
            )
        case .quotaFull:
            (.quotaExceeded, "quota exceeded", "delete records or files, or ask the person to free space")
        case .signedOut:
            (
                .authenticationRequired, "request needs authorization",
                "sign in, and send the web auth token with the request"
            )
        case .limitExceeded:
            (.limitExceeded, "Your request contains too many items", "split the batch in half and send both")
        case .zoneNotFound:
            (.zoneNotFound, "Zone not found", "create the zone first, or delete its local copy")
        case .zonePurged:
            (
                .zonePurged, "Zone was purged by user",
                "delete the local copy, and ask the person before you create the zone again"
            )
        default: nil
        }
    }

    private var recordTemplate: ErrorTemplate? {
        switch self {
        case .conflict:
            (
                .conflict, "client oplock error updating record",
                "apply your changes to the server's record and save that"
            )
        case .recordDeleted:
            (
                .notFound, "Record not found",
                "it was deleted or never saved: create it, or delete your copy"
            )
        case .notPermitted:
            (.accessDenied, "WRITE operation not permitted", "save a record of your own instead")
        case .referenceViolation:
            (
                .validatingReference, "the target of a reference does not exist",
                "save the target first, or in the same batch"
            )
        case .invalidItem:
            (.badRequest, "the record does not fit the schema", "correct the record and save it again")
        default: nil
        }
    }

    private static let waitAndRetry = "wait, then send the same request again"
}
