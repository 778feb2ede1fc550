import Foundation
import Synchronization

/// The pauses by which faults delay answers. They end early when the server stops, so that nothing waits for
/// a delayed answer.
final class Delays: Sendable {
    /// The interval in seconds for checking whether the server has stopped.
    private static let pollInterval: TimeInterval = 0.02

    private let pause: @Sendable (TimeInterval) async throws -> Void
    private let isOver = Atomic(false)

    init(pause: @escaping @Sendable (TimeInterval) async throws -> Void) { self.pause = pause }

    /// Waits for a duration. Throws `CancellationError` as soon as `end` has been called.
    func wait(_ duration: Duration) async throws {
        var left = duration / .seconds(1)
        while left > 0 {
            if isOver.load(ordering: .acquiring) { throw CancellationError() }
            try await pause(min(left, Self.pollInterval))
            left -= Self.pollInterval
        }
    }

    func end() { isOver.store(true, ordering: .releasing) }
}
