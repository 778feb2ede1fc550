/// The failures that can be injected by name.
public enum FaultKind: String, Hashable, Sendable, CaseIterable {
    /// `TRY_AGAIN_LATER` with a time to wait, for saves and changes of zones. The request is not carried out.
    case zoneBusy = "zone-busy"
    /// `TRY_AGAIN_LATER`, status 503, with a time to wait. The request is not carried out.
    case unavailable
    /// `THROTTLED`, status 429, with a time to wait. The request is not carried out.
    case rateLimited = "rate-limited"
    /// The connection breaks without an answer. The request is not carried out.
    case networkFailureBefore = "network-failure-before"
    /// The request is carried out, and then the connection breaks without an answer.
    case responseLost = "response-lost"
    /// Change tokens are rejected as expired. Requests without a token succeed.
    case tokenExpired = "token-expired"
    /// `QUOTA_EXCEEDED` for each save and upload. Deletions succeed.
    case quotaFull = "quota-full"
    /// The answer comes after `seconds`.
    case slow
    /// `AUTHENTICATION_REQUIRED`, status 421. The request is not carried out.
    case signedOut = "signed-out"
    /// `BAD_REQUEST`, as for a batch that is too large. The request is not carried out.
    case limitExceeded = "limit-exceeded"
    /// `ZONE_NOT_FOUND`, status 404. The request is not carried out.
    case zoneNotFound = "zone-not-found"
    /// `ZONE_NOT_FOUND`, as for a zone that the person purged. The request is not carried out.
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
        case .zoneBusy: "the zone is being written by others: nothing is done, try again after a while"
        case .unavailable: "the service is down: nothing is done, try again after a while"
        case .rateLimited: "too many requests: nothing is done, try again after a while"
        case .networkFailureBefore: "the connection breaks before the request is carried out"
        case .responseLost: "the request is carried out, then the connection breaks without an answer"
        case .tokenExpired: "a change token is too old: the feed must be fetched from its start"
        case .quotaFull: "no room is left: saves and uploads are refused one by one, deletions go through"
        case .slow: "the answer comes late"
        case .signedOut: "the session has ended: nothing is done, sign in again"
        case .limitExceeded: "the batch is too large: nothing is done, halve it"
        case .zoneNotFound: "the zone is gone: nothing is done"
        case .zonePurged: "the person purged the zone: nothing is done"
        case .conflict: "somebody else has just saved the first record of the batch"
        case .recordDeleted: "somebody else has just deleted the first record of the batch"
        case .notPermitted: "the first record of the batch may not be written"
        case .referenceViolation: "the first record of the batch refers to one that is not there"
        case .invalidItem: "the first record of the batch does not fit the schema"
        case .pushDrop: "a push is lost on its way"
        case .pushDelay: "a push comes late"
        case .pushReorder: "a push is overtaken by the next one"
        case .pushDuplicate: "a push comes twice"
        case .deviceOffline: "the device has no network: of the pushes for it the latest is kept"
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
    package var usualSeconds: Int {
        switch self {
        case .zoneBusy, .slow: 1
        case .pushDelay: 5
        case .unavailable, .rateLimited: 3
        default: 0
        }
    }
}
