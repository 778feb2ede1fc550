package import Records

extension RecordError.Code {
    /// The `serverErrorCode`. It is one of the documented codes, since clients know no others (CloudKit Web
    /// Services Reference, *Error Codes*).
    package var wireName: String {
        switch self {
        case .accessDenied, .accountRestricted, .participantMayNeedVerification: "ACCESS_DENIED"
        case .atomicFailure: "ATOMIC_ERROR"
        case .authenticationFailed: "AUTHENTICATION_FAILED"
        case .authenticationRequired: "AUTHENTICATION_REQUIRED"
        case .badRequest, .limitExceeded, .changeTokenExpired, .badDatabase, .assetRejected, .uploadExpired,
            .tooManyParticipants, .participantAlreadyInvited:
            "BAD_REQUEST"
        case .conflict: "CONFLICT"
        case .exists, .alreadyShared: "EXISTS"
        case .internalError: "INTERNAL_ERROR"
        case .notFound, .badContainer: "NOT_FOUND"
        case .quotaExceeded: "QUOTA_EXCEEDED"
        case .throttled: "THROTTLED"
        case .tryAgainLater, .zoneBusy, .accountUnavailable: "TRY_AGAIN_LATER"
        case .validatingReference: "VALIDATING_REFERENCE_ERROR"
        case .zoneNotFound, .zonePurged, .zoneReset: "ZONE_NOT_FOUND"
        }
    }

    /// The codes that a word in a filter names: one by its own name, such as `accessDenied`, or all that have
    /// this `serverErrorCode`, such as `ACCESS_DENIED`. Empty for an unknown word.
    package static func codes(named word: String) -> Set<Self> {
        if let code = Self(rawValue: word) { return [code] }
        return Set(allCases.filter { $0.wireName == word })
    }

    /// The HTTP status of a request that fails as a whole (CloudKit Web Services Reference, *Error Codes*).
    package var status: Int {
        switch self {
        case .badRequest, .limitExceeded, .changeTokenExpired, .badDatabase, .assetRejected, .uploadExpired,
            .atomicFailure, .tooManyParticipants, .participantAlreadyInvited:
            400
        case .authenticationFailed: 401
        case .accessDenied, .accountRestricted, .participantMayNeedVerification: 403
        case .notFound, .badContainer, .zoneNotFound, .zonePurged, .zoneReset: 404
        case .conflict, .exists, .alreadyShared: 409
        case .validatingReference: 412
        case .quotaExceeded: 413
        case .authenticationRequired: 421
        case .throttled: 429
        case .internalError: 500
        case .tryAgainLater, .zoneBusy, .accountUnavailable: 503
        }
    }

    /// Decodes a `serverErrorCode`, including undocumented ones that some servers send. Unknown codes become
    /// `internalError`.
    package init(wireName: String) {
        switch wireName {
        case "BAD_REQUEST", "UNIQUE_FIELD_ERROR": self = .badRequest
        case "TRY_AGAIN_LATER": self = .tryAgainLater
        case "ZONE_BUSY": self = .zoneBusy
        case "CHANGE_TOKEN_EXPIRED": self = .changeTokenExpired
        default: self = Self.allCases.first { $0.wireName == wireName } ?? .internalError
        }
    }

    /// The code for an HTTP status, for answers whose body is unreadable.
    package init(status: Int) {
        switch status {
        case 400: self = .badRequest
        case 404: self = .notFound
        case 409: self = .conflict
        // Of a proxy: the server behind it cannot be reached, is unavailable, or is too slow.
        case 502, 503, 504: self = .tryAgainLater
        default: self = Self.allCases.first { $0.status == status } ?? .internalError
        }
    }
}
