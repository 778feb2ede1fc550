import Foundation

/// Detects when an HTTP exchange has transferred nothing for too long, or has lasted too long.
final class TrafficWatch: Sendable {
    private let idle: Duration?
    private let end: ContinuousClock.Instant?
    private let last: Locked<ContinuousClock.Instant>

    /// Starts both clocks; a limit that is nil does not apply.
    init(idle: Duration?, total: Duration?) {
        // A real clock, because the transport measures a real network.
        let now = ContinuousClock.now
        self.idle = idle
        end = total.map { now + $0 }
        last = Locked(now)
    }

    /// Restarts the idle clock after a transfer.
    func touch() {
        // The same clock as above.
        let now = ContinuousClock.now
        last.withLock { $0 = now }
    }

    /// Waits until a limit is reached. Throws `CancellationError`.
    func waitForLimit() async throws {
        while let limit = nextLimit {
            // The same clock as above; returns at once when the limit has passed.
            guard ContinuousClock.now < limit else { return }
            // Sleep, because no event occurs when the connection is silent.
            try await Task.sleep(until: limit, clock: .continuous)
        }
        try Task.checkCancellation()
    }

    private var nextLimit: ContinuousClock.Instant? {
        let silence = idle.map { last.current + $0 }
        return [silence, end].compactMap { $0 }.min()
    }
}
