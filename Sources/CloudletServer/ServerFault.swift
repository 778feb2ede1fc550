// Owns faults as the user of a server sets them.

import CloudService

/// Something that goes wrong on purpose, so that an app can show what it does then.
///
/// ```swift
/// server.faults.add(ServerFault(.responseLost, endpoint: "records/modify", count: 1))
/// ```
public struct ServerFault: Hashable, Sendable {
    /// The catalogue of faults.
    public enum Name: String, Hashable, Sendable, CaseIterable {
        /// `TRY_AGAIN_LATER` with a time to wait, to saves and changes of zones; nothing is done.
        case zoneBusy = "zone-busy"
        /// `TRY_AGAIN_LATER`, status 503, with a time to wait; nothing is done.
        case unavailable
        /// `THROTTLED`, status 429, with a time to wait; nothing is done.
        case rateLimited = "rate-limited"
        /// The connection breaks without an answer; nothing is done.
        case networkFailureBefore = "network-failure-before"
        /// The request is carried out, and then the connection breaks without an answer.
        case responseLost = "response-lost"
        /// Change tokens are refused as too old; a request without one is answered.
        case tokenExpired = "token-expired"
        /// `QUOTA_EXCEEDED` to each save and to uploads; deletions go through.
        case quotaFull = "quota-full"
        /// The answer comes after `seconds`.
        case slow
        /// `AUTHENTICATION_REQUIRED`, status 421; nothing is done.
        case signedOut = "signed-out"
        /// `BAD_REQUEST` for a batch that is too large; nothing is done.
        case limitExceeded = "limit-exceeded"
        /// `ZONE_NOT_FOUND`, status 404; nothing is done.
        case zoneNotFound = "zone-not-found"
        /// `ZONE_NOT_FOUND` because the person purged the zone; nothing is done.
        case zonePurged = "zone-purged"
        /// `CONFLICT` to the first record that a batch saves.
        case conflict
        /// `NOT_FOUND` to the first record that a batch saves.
        case recordDeleted = "record-deleted"
        /// `ACCESS_DENIED` to the first record that a batch saves.
        case notPermitted = "not-permitted"
        /// `VALIDATING_REFERENCE_ERROR` to the first record that a batch saves.
        case referenceViolation = "reference-violation"
        /// `BAD_REQUEST` to the first record that a batch saves.
        case invalidItem = "invalid-item"
        /// A push does not arrive.
        case pushDrop = "push-drop"
        /// A push arrives after `seconds`.
        case pushDelay = "push-delay"
        /// A push arrives after the one that follows it.
        case pushReorder = "push-reorder"
        /// A push arrives twice.
        case pushDuplicate = "push-duplicate"
        /// The device cannot be reached, and one push is kept for it, the latest.
        case deviceOffline = "device-offline"

        /// What happens, in one sentence.
        public var summary: String { kind.summary }

        var kind: FaultKind {
            switch self {
            case .zoneBusy: .zoneBusy
            case .unavailable: .unavailable
            case .rateLimited: .rateLimited
            case .networkFailureBefore: .networkFailureBefore
            case .responseLost: .responseLost
            case .tokenExpired: .tokenExpired
            case .quotaFull: .quotaFull
            case .slow: .slow
            case .signedOut: .signedOut
            case .limitExceeded: .limitExceeded
            case .zoneNotFound: .zoneNotFound
            case .zonePurged: .zonePurged
            case .conflict: .conflict
            case .recordDeleted: .recordDeleted
            case .notPermitted: .notPermitted
            case .referenceViolation: .referenceViolation
            case .invalidItem: .invalidItem
            case .pushDrop: .pushDrop
            case .pushDelay: .pushDelay
            case .pushReorder: .pushReorder
            case .pushDuplicate: .pushDuplicate
            case .deviceOffline: .deviceOffline
            }
        }
    }

    /// What goes wrong.
    public var name: Name
    /// The only endpoint that it befalls, such as `records/modify`; `upload` and `download` move files.
    public var endpoint: String?
    /// The only device that it befalls, by the name that the client gives.
    public var device: String?
    /// The first of the calls that it befalls: 1 is the next one.
    public var first: Int
    /// How many calls it befalls; nil: all, until it is removed.
    public var count: Int?
    /// Seconds that a client is told to wait, or by which a slow answer is late; nil: what is usual.
    public var seconds: Int?

    /// A fault that befalls every call it can, unless it is told otherwise.
    public init(
        _ name: Name, endpoint: String? = nil, device: String? = nil, first: Int = 1, count: Int? = nil,
        seconds: Int? = nil
    ) {
        self.name = name
        self.endpoint = endpoint
        self.device = device
        self.first = first
        self.count = count
        self.seconds = seconds
    }

    init?(_ fault: Fault) {
        guard let name = Name(rawValue: fault.kind.rawValue) else { return nil }
        self.init(
            name, endpoint: fault.endpoint, device: fault.device, first: fault.first, count: fault.count,
            seconds: fault.seconds
        )
    }
}
