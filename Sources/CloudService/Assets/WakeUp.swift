/// Wakes the one task that waits for it. Signals that come while the task works count as one.
final class WakeUp: Sendable {
    /// An element for each time that there is work.
    let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { continuation.yield() }
}
