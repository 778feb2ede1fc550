import Foundation

/// Tells when an exchange has been silent for too long, or has lasted too long.
final class TrafficWatch: Sendable {
    private let idle: Duration?
    private let end: ContinuousClock.Instant?
    private let last: Locked<ContinuousClock.Instant>

    /// Begins to watch; a limit that is nil does not apply.
    init(idle: Duration?, total: Duration?) {
        // The transport is where a real clock belongs: it watches a real network.
        let now = ContinuousClock.now
        self.idle = idle
        end = total.map { now + $0 }
        last = Locked(now)
    }

    /// Notes that something moved.
    func touch() {
        // The same clock as above.
        let now = ContinuousClock.now
        last.withLock { $0 = now }
    }

    /// Returns when a limit is reached. Throws `CancellationError`.
    func waitForSilence() async throws {
        while let limit = nextLimit {
            // The same clock as above; returns at once when the limit has passed.
            guard ContinuousClock.now < limit else { return }
            // Nothing else tells that nothing happens.
            try await Task.sleep(until: limit, clock: .continuous)
        }
        try Task.checkCancellation()
    }

    private var nextLimit: ContinuousClock.Instant? {
        let silence = idle.map { last.current + $0 }
        return [silence, end].compactMap { $0 }.min()
    }
}
