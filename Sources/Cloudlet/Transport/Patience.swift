import Foundation

/// The limits of an operation's configuration.
struct Patience: Sendable {
    /// The longest time in which nothing moves, for each request; nil: for ever.
    var pause: Duration?
    /// The longest time for each round trip, attempts that failed included; nil: for ever.
    var whole: TimeInterval?
    /// Whether a request that the network failed is sent again within that time.
    var triesAgain = false
    /// Whether a request may go over a network that costs by what is sent.
    var allowsCellular = true
    /// Whether a request waits for good conditions while the app is in front, and while it is not.
    private(set) var isDiscretionary = (inFront: false, behind: false)

    /// Waits for ever.
    init() {}

    /// What a configuration says. What is not positive, or longer than anybody lives, means no limit.
    init(_ configuration: CKOperationConfiguration) {
        func limited(_ seconds: TimeInterval) -> TimeInterval? {
            seconds > 0 && seconds < 1e9 ? seconds : nil
        }
        pause = limited(configuration.timeoutIntervalForRequest).map { .seconds($0) }
        whole = limited(configuration.timeoutIntervalForResource)
        allowsCellular = configuration.allowsCellularAccess
        let quality = configuration.qualityOfService
        triesAgain = [.utility, .background].contains(quality)
        let isUrgent = [.userInteractive, .userInitiated].contains(quality)
        isDiscretionary = (inFront: quality == .background, behind: !isUrgent)
    }
}

/// When a request may leave its device.
enum Departure: Hashable, Sendable {
    case now
    /// When conditions are better.
    case later
    /// Not at all; says what is missing.
    case never(String)
}

extension Patience {
    /// When a request may leave a device in those conditions.
    func departure(in state: CloudConditions.State) -> Departure {
        if let missing = missing(in: state) {
            return triesAgain || waits(in: state) ? .later : .never(missing)
        }
        let isGood = state.network == .unmetered && state.hasPower
        return isGood || !waits(in: state) ? .now : .later
    }

    private func waits(in state: CloudConditions.State) -> Bool {
        state.isInForeground ? isDiscretionary.inFront : isDiscretionary.behind
    }

    /// Why no request can go out at all.
    func missing(in state: CloudConditions.State) -> String? {
        switch state.network {
        case .unavailable: "the device has no network"
        case .cellular where !allowsCellular: "the device has only a cellular network, which may not be used"
        case .cellular, .unmetered: nil
        }
    }
}

/// One request with all its attempts, as a value (law 1).
struct RoundTrip: Sendable {
    private let patience: Patience
    private let start: Date
    private let changes: Bool
    private var backoff = Backoff()

    /// - Parameter changes: Whether the request must not be carried out twice, so that a lost answer ends it.
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

    /// A change that may have reached the server is not sent again unless it would know itself: it would
    /// meet itself as a conflict.
    private func mayTryAgain(after error: CloudTransportError) -> Bool {
        switch error {
        case .unreachable: true
        case .connectionLost, .timedOut: !changes
        case .file, .badTarget: false
        }
    }
}

extension CloudTransportError {
    /// Whether the server may have acted on the request.
    var leavesDoubt: Bool {
        switch self {
        case .connectionLost, .timedOut: true
        case .unreachable, .file, .badTarget: false
        }
    }
}
