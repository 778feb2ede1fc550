/// Something that could not be done: what, why, whose fault, and what to do next (law 8).
package struct RecordError: Error, Hashable, Sendable {
    /// The kinds of failure, one for each decision a caller can take.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case accessDenied
        case accountRestricted
        case accountUnavailable
        case atomicFailure
        case authenticationFailed
        case authenticationRequired
        case badRequest
        case conflict
        case exists
        case internalError
        case limitExceeded
        case notFound
        case quotaExceeded
        case throttled
        case tryAgainLater
        case validatingReference
        case zoneNotFound
        /// The zone is gone because the person removed the app's data.
        case zonePurged
        /// The zone is gone because the person reset encrypted data.
        case zoneReset
        case zoneBusy
        case changeTokenExpired
        case badContainer
        case badDatabase
        case assetRejected
    }

    /// Who can mend it.
    package enum Fault: String, Hashable, Sendable {
        case app
        case user
        case service
    }

    package var code: Code
    /// Constant text for the code and situation; sheet 5.4 where it has one.
    package var reason: String
    /// What is at fault: a record name, a field, a zone, a parameter.
    package var culprit: String?
    /// What to do next, in one sentence.
    package var nextStep: String?
    /// Seconds to wait; nil means that trying again does not help.
    package var retryAfter: Int?
    /// Where to sign in, with `authenticationRequired`.
    package var redirectURL: String?
    /// The present state of the record, with `conflict`.
    package var serverRecord: Record?
    /// The field that a query names and no record of the type has had yet, with `badRequest`.
    package var unknownField: String?
    /// What only the operator's log is told, such as the words of the database engine. Never sent.
    package var diagnosis: String?

    package init(
        _ code: Code,
        _ reason: String,
        culprit: String? = nil,
        nextStep: String? = nil,
        retryAfter: Int? = nil
    ) {
        self.code = code
        self.reason = reason
        self.culprit = culprit
        self.nextStep = nextStep
        self.retryAfter = retryAfter
    }

    package var fault: Fault {
        switch code {
        case .internalError, .throttled, .tryAgainLater, .zoneBusy: .service
        case .authenticationFailed, .authenticationRequired, .accessDenied, .accountRestricted,
            .accountUnavailable, .quotaExceeded, .zonePurged, .zoneReset:
            .user
        default: .app
        }
    }
}

extension RecordError {
    /// The error for a failure that no caller can mend: those who asked hear that the server failed, and the
    /// log hears why.
    package init(unexpected error: any Error) {
        if let known = error as? RecordError {
            self = known
        } else {
            self.init(.internalError, "the server failed", nextStep: "look at the server's log")
            diagnosis = "\(error)"
        }
    }

    /// Throws when a request names more things than it may; `next` says how to ask for all of them.
    package static func check(
        _ count: Int, atMost limit: Int, _ culprit: String, next: String
    ) throws(RecordError) {
        if count <= limit { return }
        throw RecordError(
            .limitExceeded,
            "Your request contains \(count) items which is more than the maximum number of items in a single "
                + "request (\(limit))",
            culprit: culprit, nextStep: next
        )
    }

    /// The error for what there is no room for.
    package static func quotaExceeded(_ culprit: String) -> RecordError {
        RecordError(
            .quotaExceeded, "quota exceeded", culprit: culprit,
            nextStep: "delete records or files, or ask the person to make room"
        )
    }
}

extension RecordError: CustomStringConvertible {
    package var description: String {
        var text = reason
        if let culprit { text += " [\(culprit)]" }
        if let nextStep { text += " - \(nextStep)" }
        return text
    }
}
