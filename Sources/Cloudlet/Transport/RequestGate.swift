import Foundation

/// Stores how long the server's rate limit forbids each caller to send requests.
///
/// As in Apple's framework, requests before that time fail on the device, with the error that the server
/// would return and the remaining seconds.
struct RequestGate {
    /// The sender to which a rate limit applies.
    struct Caller: Hashable {
        var container: String
        var person: String?
        var device: String?
    }

    private var endTimes: [Caller: Date] = [:]

    /// The longest rate limit in seconds that the client observes, in case a server sends a wrong value.
    private static let maximumSeconds: TimeInterval = 3600

    /// Refuses the caller's requests for the given seconds, at most an hour. It never shortens an earlier
    /// refusal.
    mutating func close(for caller: Caller, seconds: TimeInterval, at now: Date) {
        let endTime = now.addingTimeInterval(min(seconds, Self.maximumSeconds))
        endTimes[caller] = max(endTime, endTimes[caller] ?? endTime)
    }

    /// The seconds for which the caller's requests are still refused; nil when they may be sent.
    mutating func remaining(for caller: Caller, at now: Date) -> TimeInterval? {
        endTimes = endTimes.filter { $0.value > now }
        return endTimes[caller].map { $0.timeIntervalSince(now) }
    }
}
