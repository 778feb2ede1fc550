public import Foundation
import Synchronization

/// A clock that is later by what was waited, even if the one below it stands still.
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

    /// The present moment.
    public var now: Date { base().addingTimeInterval(ahead.withLock { $0 }) }

    /// Lets that time pass, or takes it as passed where the clock below stands still.
    public func wait(_ duration: Duration) async throws {
        let seconds = duration / .seconds(1)
        let before = base()
        try await pause(seconds)
        let passed = base().timeIntervalSince(before)
        if passed < seconds { ahead.withLock { $0 += seconds - passed } }
    }
}
