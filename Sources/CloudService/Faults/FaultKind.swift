// Owns the catalogue of things that can be made to go wrong, and what each produces.

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
    case signedOut = "signed-out"
    case limitExceeded = "limit-exceeded"
    case zoneNotFound = "zone-not-found"
    case zonePurged = "zone-purged"
    case conflict
    case recordDeleted = "record-deleted"
    case notPermitted = "not-permitted"
    case referenceViolation = "reference-violation"
    case invalidItem = "invalid-item"
    case pushDrop = "push-drop"
    case pushDelay = "push-delay"
    case pushReorder = "push-reorder"
    case pushDuplicate = "push-duplicate"
    case deviceOffline = "device-offline"

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

    /// The calls that it can befall; nil: all.
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
        case _ where Self.ofRecords.contains(self): ["records/modify"]
        default: nil
        }
    }

    /// The seconds that are meant when a fault names none: to wait before another try, or of delay.
    package var usualSeconds: Int {
        switch self {
        case .zoneBusy, .slow: 1
        case .pushDelay: 5
        case .unavailable, .rateLimited: 3
        default: 0
        }
    }
}
