import Foundation

/// Remembers until when the server wants to hear nothing from a caller (law 1; talk 3, "Transient errors").
///
/// As in the real framework, requests that come earlier fail on the device with the error that the server
/// would give, and with the seconds that are left.
struct RequestGate {
    /// Whom a rate limit concerns.
    struct Caller: Hashable {
        var container: String
        var person: String?
        var device: String?
    }

    private var openings: [Caller: Date] = [:]

    /// The longest time for which a server is heeded: it may be mistaken.
    private static let longestHold: TimeInterval = 3600

    /// Keeps the caller's requests back for so many seconds, an hour at most.
    mutating func close(for caller: Caller, seconds: TimeInterval, at now: Date) {
        let opening = now.addingTimeInterval(min(seconds, Self.longestHold))
        openings[caller] = max(opening, openings[caller] ?? opening)
    }

    /// The seconds for which the caller's requests are kept back; nil when they may go out.
    mutating func remaining(for caller: Caller, at now: Date) -> TimeInterval? {
        openings = openings.filter { $0.value > now }
        return openings[caller].map { $0.timeIntervalSince(now) }
    }
}
