public import Foundation
import Synchronization

/// A clock that advances by every wait, even if its base clock stands still.
public final class WaitingClock: Sendable {
    private let base: @Sendable () -> Date
    private let pause: @Sendable (TimeInterval) async throws -> Void
    private let ahead = Mutex<TimeInterval>(0)

    init(
        base: @escaping @Sendable () -> Date, pause: @escaping @Sendable (TimeInterval) async throws -> Void
    ) {
        self.base = base
        self.pause = pause
    }

    /// The current time.
    public var now: Date { base().addingTimeInterval(ahead.withLock { $0 }) }

    /// Waits for a duration. Afterwards this clock has advanced by at least that duration, even if the base
    /// clock stands still.
    public func wait(_ duration: Duration) async throws {
        let seconds = duration / .seconds(1)
        let before = base()
        try await pause(seconds)
        let passed = base().timeIntervalSince(before)
        if passed < seconds { ahead.withLock { $0 += seconds - passed } }
    }
}
