/// The error of every module: what failed, why, who can correct it, and what to do next (*One type of errors*
/// in `Architecture.md`).
package struct RecordError: Error, Hashable, Sendable {
    /// The kind of failure, one for each way in which a caller can react.
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
        /// The zone was deleted because the person removed the app's data.
        case zonePurged
        /// The zone was deleted because the person reset the encrypted data.
        case zoneReset
        case zoneBusy
        case changeTokenExpired
        case badContainer
        case badDatabase
        case assetRejected
        /// The receipt of an uploaded file has expired, or the file was deleted. The client must upload it
        /// again.
        case uploadExpired
        /// Another share covers the record, or one of its parents or children.
        case alreadyShared
        /// A share has too many participants.
        case tooManyParticipants
        /// The share has an invitation to an unverified address, which may be the caller's.
        case participantMayNeedVerification
        /// The person who requests access is already invited or a participant.
        case participantAlreadyInvited
    }

    /// Who can correct the failure.
    package enum Fault: String, Hashable, Sendable {
        case app
        case user
        case service
    }

    package var code: Code
    /// Whether `code` is exact. Servers other than Cloudlet send only documented codes, each of which covers
    /// several of these.
    package var isExact = true
    /// A constant text for the situation; Apple's own text where it is known.
    package var reason: String
    /// The name of the offending record, field, zone or parameter.
    package var culprit: String?
    /// The next step for the caller, in one sentence.
    package var nextStep: String?
    /// The seconds to wait before a retry; nil if a retry does not help.
    package var retryAfter: Int?
    /// The URL of the sign-in page, with `authenticationRequired`.
    package var redirectURL: String?
    /// The server's version of the record, with `conflict`.
    package var serverRecord: Record?
    /// The field of a query that no record of the type has ever had, with `badRequest`.
    package var unknownField: String?
    /// The record type of a refused operation, for the operator's log. It is never sent to clients.
    package var recordType: String?
    /// Details for the operator's log, such as the database engine's message. They are never sent to clients.
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
            .accountUnavailable, .quotaExceeded, .zonePurged, .zoneReset, .participantMayNeedVerification,
            .participantAlreadyInvited:
            .user
        default: .app
        }
    }
}

extension RecordError {
    /// Converts an unexpected error to `internalError`. The client receives a constant text, and the log
    /// receives the details. A `RecordError` stays unchanged.
    package init(unexpected error: any Error) {
        if let known = error as? RecordError {
            self = known
        } else {
            self.init(.internalError, "the server failed", nextStep: "look at the server's log")
            diagnosis = "\(error)"
        }
    }

    /// The reason as the operator's log has it: with the record type of a refused operation.
    package var loggedReason: String {
        recordType.map { "\(reason) on the record type \($0)" } ?? reason
    }

    /// About how many bytes the fields of the server's record take in an answer.
    package var serverRecordBytes: Int { serverRecord?.fields.reduce(0) { $0 + $1.1.value.size } ?? 0 }

    /// Throws `limitExceeded` if `count` exceeds `limit`. `next` is the next step of the error.
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

    /// The error for a write when the server's disk is full.
    package static let fullDisk = RecordError(
        .quotaExceeded, "the disk of the server is full", culprit: "storage",
        nextStep: "free space on the server's disk, then try again")

    /// The error for a write that the server aborted because it is shutting down.
    package static let stopping = RecordError(
        .tryAgainLater, "the server is shutting down", culprit: "server",
        nextStep: "try again when it has started again", retryAfter: 5)

    /// The error for a write that exceeds the quota.
    package static func quotaExceeded(_ culprit: String) -> RecordError {
        RecordError(
            .quotaExceeded, "quota exceeded", culprit: culprit,
            nextStep: "delete records or files, or ask the person to free space"
        )
    }
}

extension RecordError: CustomStringConvertible {
    /// Reason, culprit and next step in one line: `reason [culprit] - next step`. The next step is an
    /// instruction in lower case without a full stop.
    package var description: String {
        var text = reason
        if let culprit { text += " [\(culprit)]" }
        if let nextStep { text += " - \(nextStep)" }
        return text
    }
}
