import Foundation
import Synchronization

/// Delays that end early when the server does: answers that a fault makes late are then waited for by nobody.
final class Delays: Sendable {
    /// How long one look takes whether the server still runs, in seconds.
    private static let look: TimeInterval = 0.02

    private let pause: @Sendable (TimeInterval) async throws -> Void
    private let isOver = Atomic(false)

    init(pause: @escaping @Sendable (TimeInterval) async throws -> Void) { self.pause = pause }

    /// Lets that time pass; throws `CancellationError` when it has ended before.
    func wait(_ duration: Duration) async throws {
        var left = duration / .seconds(1)
        while left > 0 {
            if isOver.load(ordering: .acquiring) { throw CancellationError() }
            try await pause(min(left, Self.look))
            left -= Self.look
        }
    }

    func end() { isOver.store(true, ordering: .releasing) }
}
