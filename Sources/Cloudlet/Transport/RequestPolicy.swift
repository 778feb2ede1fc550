import Foundation

/// The rules for sending an operation's requests, from its configuration: timeouts, retries, and the
/// conditions that the requests need.
struct RequestPolicy: Sendable {
    /// The idle timeout of each request, the longest time without any transfer; nil means no limit.
    var idleTimeout: Duration?
    /// The timeout of each round trip in seconds, including failed attempts; nil means no limit.
    var totalTimeout: TimeInterval?
    /// Whether a request is sent again within that time after a network failure.
    var retries = false
    /// Whether a request may use a metered network.
    var allowsCellular = true
    /// Whether a request waits for good conditions while the app is in the foreground, and while it is in the
    /// background.
    private(set) var isDiscretionary = (foreground: false, background: false)

    /// No timeouts, no retries, no waiting for conditions.
    init() {}

    /// The rules of a configuration. A timeout of 0 or less, or of 1e9 seconds (about 32 years) or more,
    /// means no limit.
    init(_ configuration: CKOperationConfiguration) {
        func limited(_ seconds: TimeInterval) -> TimeInterval? {
            seconds > 0 && seconds < 1e9 ? seconds : nil
        }
        idleTimeout = limited(configuration.timeoutIntervalForRequest).map { .seconds($0) }
        totalTimeout = limited(configuration.timeoutIntervalForResource)
        allowsCellular = configuration.allowsCellularAccess
        let quality = configuration.qualityOfService
        retries = [.utility, .background].contains(quality)
        let isUrgent = [.userInteractive, .userInitiated].contains(quality)
        isDiscretionary = (foreground: quality == .background, background: !isUrgent)
    }
}

/// The decision when a request may be sent.
enum SendDecision: Hashable, Sendable {
    case now
    /// After the conditions have improved.
    case later
    /// Not at all. The string names the missing condition.
    case never(String)
}

extension RequestPolicy {
    /// Decides when a request may be sent under the given conditions.
    func sendDecision(in state: CloudConditions.State) -> SendDecision {
        if let missing = missing(in: state) {
            return retries || waits(in: state) ? .later : .never(missing)
        }
        let isGood = state.network == .unmetered && state.hasPower
        return isGood || !waits(in: state) ? .now : .later
    }

    private func waits(in state: CloudConditions.State) -> Bool {
        state.isInForeground ? isDiscretionary.foreground : isDiscretionary.background
    }

    /// The reason why no request can be sent under the given conditions; nil if requests can be sent.
    func missing(in state: CloudConditions.State) -> String? {
        switch state.network {
        case .unavailable: "the device has no network"
        case .cellular where !allowsCellular: "the device has only a cellular network, which may not be used"
        case .cellular, .unmetered: nil
        }
    }
}

/// Decides when a request, including all its attempts, times out and whether it is sent again. It does no I/O
/// itself.
struct RoundTrip: Sendable {
    private let policy: RequestPolicy
    private let start: Date
    private let changes: Bool
    private var backoff = Backoff()

    /// - Parameter changes: Whether the request must not be executed twice, so that it is not sent again
    ///   after a lost response.
    init(_ policy: RequestPolicy, at start: Date, changes: Bool) {
        self.policy = policy
        self.start = start
        self.changes = changes
    }

    /// The seconds left for the round trip; zero or less when the time is over, nil without a limit.
    func remaining(at now: Date) -> TimeInterval? {
        policy.totalTimeout.map { $0 - now.timeIntervalSince(start) }
    }

    /// The seconds after which to send the request again; nil to give up.
    mutating func wait(after error: CloudTransportError, at now: Date) -> Int? {
        guard policy.retries, mayTryAgain(after: error) else { return nil }
        let seconds = backoff.next()
        if let remaining = remaining(at: now), remaining <= Double(seconds) { return nil }
        return seconds
    }

    /// A change that may have reached the server is not sent again, because its second execution would
    /// conflict with its first. Changes that are safe to repeat are created with `changes: false`.
    private func mayTryAgain(after error: CloudTransportError) -> Bool {
        switch error {
        case .unreachable: true
        case .connectionLost, .timedOut: !changes
        case .file, .badTarget: false
        }
    }
}

extension CloudTransportError {
    /// Whether the server may have executed the request.
    var mayHaveExecuted: Bool {
        switch self {
        case .connectionLost, .timedOut: true
        case .unreachable, .file, .badTarget: false
        }
    }
}
