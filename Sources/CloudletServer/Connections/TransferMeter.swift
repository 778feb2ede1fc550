import NIOCore
import Records

/// Says until when a transfer may go on: for so many seconds in any case, and for each byte as long as it
/// takes at the lowest rate. A transfer at that rate or above goes on for ever.
struct TransferMeter: Sendable {
    struct Rules: Sendable {
        /// Bytes a second.
        let rate: Int64
        /// How long a transfer may be slower.
        let patience: TimeAmount

        init(rate: Int, patienceSeconds: Int) {
            self.rate = Int64(max(rate, 1))
            patience = .seconds(Int64(min(max(patienceSeconds, 1), 86_400)))
        }

        init(_ limits: Limits) {
            self.init(rate: limits.transferBytesPerSecond, patienceSeconds: limits.transferPatienceSeconds)
        }

        /// How long bytes may take.
        func time(for bytes: Int) -> TimeAmount {
            .nanoseconds(Int64(min(max(bytes, 0), 1 << 32)) * 1_000_000_000 / rate)
        }
    }

    private let rules: Rules
    private(set) var deadline: NIODeadline
    /// Since when the client has not been waited for.
    private var pausedSince: NIODeadline?

    /// - Parameter credit: bytes that were moved before.
    init(_ rules: Rules, from now: NIODeadline, credit: Int = 0) {
        self.rules = rules
        deadline = now + rules.patience
        moved(credit, at: now)
    }

    /// Bytes were moved. However many they are, the client must go on within eight times the patience, so
    /// that nobody earns hours of silence with a fast beginning.
    mutating func moved(_ bytes: Int, at now: NIODeadline) {
        let most = now + .nanoseconds(8 * rules.patience.nanoseconds)
        deadline = min(deadline + rules.time(for: bytes), most)
    }

    /// From now on the server is not ready for more bytes: this time is not the client's.
    mutating func pause(at now: NIODeadline) {
        if pausedSince == nil { pausedSince = now }
    }

    mutating func resume(at now: NIODeadline) {
        guard let since = pausedSince else { return }
        pausedSince = nil
        if now > since { deadline = deadline + (now - since) }
    }

    func isOver(at now: NIODeadline) -> Bool { pausedSince == nil && now >= deadline }

    /// When to ask again.
    func nextLook(at now: NIODeadline) -> NIODeadline {
        pausedSince == nil ? deadline : max(deadline, now + rules.patience)
    }
}
