/// The failures that can be injected by name.
public enum FaultKind: String, Hashable, Sendable, CaseIterable {
    /// `TRY_AGAIN_LATER` with a time to wait, for saves and changes of zones. The request is not executed.
    case zoneBusy = "zone-busy"
    /// `TRY_AGAIN_LATER`, status 503, with a time to wait. The request is not executed.
    case unavailable
    /// `THROTTLED`, status 429, with a time to wait. The request is not executed.
    case rateLimited = "rate-limited"
    /// The connection breaks without an answer. The request is not executed.
    case networkFailureBefore = "network-failure-before"
    /// The request is executed, and then the connection breaks without an answer.
    case responseLost = "response-lost"
    /// Change tokens are rejected as expired. Requests without a token succeed.
    case tokenExpired = "token-expired"
    /// `QUOTA_EXCEEDED` for each save and upload. Deletions succeed.
    case quotaFull = "quota-full"
    /// The answer comes after `seconds`.
    case slow
    /// `AUTHENTICATION_REQUIRED`, status 421. The request is not executed.
    case signedOut = "signed-out"
    /// `BAD_REQUEST`, as for a batch that is too large. The request is not executed.
    case limitExceeded = "limit-exceeded"
    /// `ZONE_NOT_FOUND`, status 404. The request is not executed.
    case zoneNotFound = "zone-not-found"
    /// `ZONE_NOT_FOUND`, as for a zone that the person purged. The request is not executed.
    case zonePurged = "zone-purged"
    /// `CONFLICT` for the first record that a batch saves.
    case conflict
    /// `NOT_FOUND` for the first record that a batch saves.
    case recordDeleted = "record-deleted"
    /// `ACCESS_DENIED` for the first record that a batch saves.
    case notPermitted = "not-permitted"
    /// `VALIDATING_REFERENCE_ERROR` for the first record that a batch saves.
    case referenceViolation = "reference-violation"
    /// `BAD_REQUEST` for the first record that a batch saves.
    case invalidItem = "invalid-item"
    /// A push does not arrive.
    case pushDrop = "push-drop"
    /// A push arrives after `seconds`.
    case pushDelay = "push-delay"
    /// A push arrives after the one that follows it.
    case pushReorder = "push-reorder"
    /// A push arrives twice.
    case pushDuplicate = "push-duplicate"
    /// The device is unreachable. Only the latest push for it is kept.
    case deviceOffline = "device-offline"

    /// The effect of the fault in one sentence, for help texts.
    public var summary: String {
        switch self {
        case .zoneBusy: "other clients write to the zone: the request fails, try again later"
        case .unavailable: "the service is unavailable: the request fails, try again later"
        case .rateLimited: "too many requests: the request fails, try again later"
        case .networkFailureBefore: "the connection breaks before the request is executed"
        case .responseLost: "the request is executed, then the connection breaks without an answer"
        case .tokenExpired: "a change token has expired: fetch the feed from its start"
        case .quotaFull: "the quota is exhausted: each save and upload fails, deletions succeed"
        case .slow: "the answer is delayed"
        case .signedOut: "the session has ended: the request fails, sign in again"
        case .limitExceeded: "the batch is too large: the request fails, send it in halves"
        case .zoneNotFound: "the zone does not exist: the request fails"
        case .zonePurged: "the person purged the zone: the request fails"
        case .conflict: "another device has just saved the first record of the batch"
        case .recordDeleted: "another device has just deleted the first record of the batch"
        case .notPermitted: "the person may not write the first record of the batch"
        case .referenceViolation: "the first record of the batch refers to a missing record"
        case .invalidItem: "the first record of the batch does not fit the schema"
        case .pushDrop: "a push is lost"
        case .pushDelay: "a push is delayed"
        case .pushReorder: "a push arrives after the next one"
        case .pushDuplicate: "a push arrives twice"
        case .deviceOffline: "the device has no network: only the latest push for it is kept"
        }
    }

    /// The endpoints that the fault applies to; nil: all.
    package var endpoints: Set<String>? {
        switch self {
        case .zoneBusy: ["records/modify", "zones/modify"]
        case .tokenExpired:
            [
                "changes/zone", "changes/database", "zones/changes", "records/changes",
                "notifications/changes",
            ]
        case .quotaFull: ["records/modify", "assets/upload", FaultCall.upload]
        case .zoneNotFound, .zonePurged: ["records/modify", "records/lookup", "records/query"]
        case .limitExceeded: ["records/modify"]
        case .pushDrop, .pushDelay, .pushReorder, .pushDuplicate, .deviceOffline: [FaultCall.push]
        case .conflict, .recordDeleted, .notPermitted, .referenceViolation, .invalidItem: ["records/modify"]
        case .unavailable, .rateLimited, .networkFailureBefore, .responseLost, .slow, .signedOut: nil
        }
    }

    /// The default of `Fault.seconds`.
    package var defaultSeconds: Int {
        switch self {
        case .zoneBusy, .slow: 1
        case .pushDelay: 5
        case .unavailable, .rateLimited: 3
        default: 0
        }
    }
}
