// Owns how long a client waits for its server, and whether it tries again.

import Foundation

/// The limits of an operation's configuration (API sheet 8; talk 4, "Timeouts").
struct Patience: Hashable, Sendable {
    /// The longest time in which nothing moves, for each request; nil: for ever.
    var pause: Duration?
    /// The longest time for each round trip, attempts that failed included; nil: for ever.
    var whole: TimeInterval?
    /// Whether a request that the network failed is sent again within that time.
    var triesAgain = false

    /// Waits for ever.
    init() {}

    /// What a configuration says. What is not positive, or longer than anybody lives, means no limit.
    init(_ configuration: CKOperationConfiguration) {
        func limited(_ seconds: TimeInterval) -> TimeInterval? {
            seconds > 0 && seconds < 1e9 ? seconds : nil
        }
        pause = limited(configuration.timeoutIntervalForRequest).map { .seconds($0) }
        whole = limited(configuration.timeoutIntervalForResource)
        triesAgain = [.utility, .background].contains(configuration.qualityOfService)
    }
}

/// One request with all its attempts, as a value (law 1).
struct RoundTrip: Hashable, Sendable {
    private let patience: Patience
    private let start: Date
    private let changes: Bool
    private var backoff = Backoff()

    /// - Parameter changes: Whether the request changes anything, so that a lost answer leaves that in doubt.
    init(_ patience: Patience, at start: Date, changes: Bool) {
        self.patience = patience
        self.start = start
        self.changes = changes
    }

    /// What is left of the time for the round trip; nil without a limit. Zero or less when it has passed.
    func remaining(at now: Date) -> TimeInterval? {
        patience.whole.map { $0 - now.timeIntervalSince(start) }
    }

    /// The seconds after which to send the request again; nil to give up.
    mutating func wait(after error: CloudTransportError, at now: Date) -> Int? {
        guard patience.triesAgain, mayTryAgain(after: error) else { return nil }
        let seconds = backoff.next()
        if let remaining = remaining(at: now), remaining <= Double(seconds) { return nil }
        return seconds
    }

    /// A change that may have reached the server is never sent again: it would meet itself as a conflict.
    private func mayTryAgain(after error: CloudTransportError) -> Bool {
        switch error {
        case .unreachable: true
        case .connectionLost, .timedOut: !changes
        case .file, .badTarget: false
        }
    }
}
