/// Wakes the one task that iterates over `signals`. Signals that come while the task works count as one.
final class WakeUp: Sendable {
    /// Yields an element whenever there is work.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }
}
