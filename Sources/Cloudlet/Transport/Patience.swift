// Owns how long a client waits for its server.

import Foundation

/// The two limits of an operation's configuration (API sheet 8; talk 4, "Timeouts").
struct Patience: Hashable, Sendable {
    /// The longest time in which nothing moves, for each request; nil: for ever.
    var pause: Duration?
    /// When all requests of the operation must have ended; nil: never.
    var deadline: Date?

    /// Waits for ever.
    init() {}

    /// What a configuration says, for an operation that begins now. What is not positive, or longer than
    /// anybody lives, means no limit.
    init(_ configuration: CKOperationConfiguration, now: Date) {
        func limited(_ seconds: TimeInterval) -> TimeInterval? {
            seconds > 0 && seconds < 1e9 ? seconds : nil
        }
        pause = limited(configuration.timeoutIntervalForRequest).map { .seconds($0) }
        deadline = limited(configuration.timeoutIntervalForResource).map { now.addingTimeInterval($0) }
    }

    /// What is left until the deadline; nil without one. Zero or less when it has passed.
    func remaining(at now: Date) -> Duration? {
        deadline.map { .seconds($0.timeIntervalSince(now)) }
    }
}
