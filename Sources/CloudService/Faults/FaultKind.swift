// Owns the catalogue of things that can be made to go wrong, and what each produces.

package import Records

/// A rare event that a test or a person at the shell can call for by name.
package enum FaultKind: String, Hashable, Sendable, CaseIterable {
    case zoneBusy = "zone-busy"
    case unavailable
    case rateLimited = "rate-limited"
    case networkFailureBefore = "network-failure-before"
    case responseLost = "response-lost"
    case tokenExpired = "token-expired"
    case quotaFull = "quota-full"
    case slow

    /// What happens, in one sentence.
    package var summary: String {
        switch self {
        case .zoneBusy: "the zone is being written by others: nothing is done, try again after a while"
        case .unavailable: "the service is down: nothing is done, try again after a while"
        case .rateLimited: "too many requests: nothing is done, try again after a while"
        case .networkFailureBefore: "the connection breaks before the request is carried out"
        case .responseLost: "the request is carried out, then the connection breaks without an answer"
        case .tokenExpired: "a change token is too old: the feed must be fetched from its start"
        case .quotaFull: "no room is left: saves and uploads are refused one by one, deletions go through"
        case .slow: "the answer comes late"
        }
    }

    /// The calls that it can befall; nil: all.
    package var endpoints: Set<String>? {
        switch self {
        case .zoneBusy: ["records/modify", "zones/modify"]
        case .tokenExpired: ["changes/zone", "changes/database", "zones/changes", "records/changes"]
        case .quotaFull: ["records/modify", "assets/upload", FaultCall.upload]
        default: nil
        }
    }

    /// The seconds that are meant when a fault names none: to wait before another try, or of delay.
    package var usualSeconds: Int {
        switch self {
        case .zoneBusy, .slow: 1
        case .unavailable, .rateLimited: 3
        default: 0
        }
    }

    /// The error in whose form it comes; nil for what is no answer at all, or only late.
    package func error(afterSeconds seconds: Int) -> RecordError? {
        let retry = seconds > 0 ? seconds : nil
        switch self {
        case .zoneBusy:
            return RecordError(
                .zoneBusy, "zone is busy: CAS Op-Lock failed. Retry request", culprit: rawValue,
                nextStep: "wait, then send the same request again", retryAfter: retry
            )
        case .unavailable:
            return RecordError(
                .tryAgainLater, "service unavailable", culprit: rawValue,
                nextStep: "wait, then send the same request again", retryAfter: retry
            )
        case .rateLimited:
            return RecordError(
                .throttled, "too many requests", culprit: rawValue,
                nextStep: "wait, then send the same request again, and fewer of them", retryAfter: retry
            )
        case .tokenExpired:
            return RecordError(
                .changeTokenExpired, "client knowledge differs from server knowledge", culprit: rawValue,
                nextStep: "drop what you keep of it and fetch it from the start, without a token"
            )
        case .quotaFull:
            return RecordError(
                .quotaExceeded, "quota exceeded", culprit: rawValue,
                nextStep: "delete records or files, or ask the person to make room"
            )
        case .networkFailureBefore, .responseLost, .slow: return nil
        }
    }
}
