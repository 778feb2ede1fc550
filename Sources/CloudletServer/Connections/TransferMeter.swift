import NIOCore
import Records

/// Computes the deadline of a transfer: `initialTime` after its begin, extended by each byte by the time that
/// the byte takes at the lowest rate. A transfer at or above that rate can continue without end.
struct TransferMeter: Sendable {
    struct Rules: Sendable {
        /// The lowest rate in bytes per second.
        let rate: Int64
        /// How long a transfer may be slower than `rate`.
        let initialTime: TimeAmount

        init(rate: Int, patienceSeconds: Int) {
            self.rate = Int64(max(rate, 1))
            initialTime = .seconds(Int64(min(max(patienceSeconds, 1), 86_400)))
        }

        init(_ limits: Limits) {
            self.init(rate: limits.transferBytesPerSecond, patienceSeconds: limits.transferPatienceSeconds)
        }

        /// The time for these bytes at the lowest rate.
        func time(for bytes: Int) -> TimeAmount {
            .nanoseconds(Int64(min(max(bytes, 0), 1 << 32)) * 1_000_000_000 / rate)
        }
    }

    private let rules: Rules
    private(set) var deadline: NIODeadline
    /// The time since which the server has not been ready for more bytes; nil while it waits for the client.
    private var pausedSince: NIODeadline?

    /// - Parameter credit: bytes that were transferred before.
    init(_ rules: Rules, from now: NIODeadline, credit: Int = 0) {
        self.rules = rules
        deadline = now + rules.initialTime
        moved(credit, at: now)
    }

    /// Extends the deadline for transferred bytes. It is never more than eight times the initial time away,
    /// so that a fast beginning does not permit hours without progress.
    mutating func moved(_ bytes: Int, at now: NIODeadline) {
        let most = now + .nanoseconds(8 * rules.initialTime.nanoseconds)
        deadline = min(deadline + rules.time(for: bytes), most)
    }

    /// Suspends the deadline while the server is not ready for more bytes.
    mutating func pause(at now: NIODeadline) {
        if pausedSince == nil { pausedSince = now }
    }

    mutating func resume(at now: NIODeadline) {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if now > since { deadline = deadline + (now - since) }
    }

    func isOver(at now: NIODeadline) -> Bool { pausedSince == nil && now >= deadline }

    /// When to check the deadline again.
    func nextCheck(at now: NIODeadline) -> NIODeadline {
        pausedSince == nil ? deadline : max(deadline, now + rules.initialTime)
    }
}
