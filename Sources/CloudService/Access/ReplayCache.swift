import Records

/// The signed requests that were accepted, as long as their date would let them be accepted again.
///
/// What identifies a request is the random point of its signature, `r`: with `s`, anybody who has seen a
/// signature can make a second valid one, but a new `r` takes the key. Signers whose nonce is derived from
/// the text (RFC 6979) sign one text within one second the same way twice. So a read may come again for two
/// seconds after it was first taken, which shows nobody anything new. A change may not: nothing tells the
/// signer's second wish from somebody else's copy of the first, and doing it twice is worse than asking for a
/// new signature.
struct ReplayCache: Sendable {
    /// What becomes of a signed request.
    enum Verdict: Hashable, Sendable {
        case taken
        /// It was taken before.
        case repeated
        /// The key has signed as many requests as can be remembered; seconds until there is room.
        case full(Int)
        /// It is older than the memory: it may have been taken before the server started. Seconds until the
        /// signer's clock is past that.
        case unknown(Int)
    }

    /// When each request of one minute was first taken, in milliseconds.
    private typealias Page = [UInt64: Int64]

    /// By key, then by the minute of the request's date.
    private var pages: [String: [Int64: Page]] = [:]
    /// When the memory begins.
    private let began: Timestamp
    /// Seconds by which a date may differ from now, either way.
    private let skew: Int64
    /// Requests of one key that are remembered.
    private let capacity: Int

    private static let readRepeats: Int64 = 2000
    private static let minute: Int64 = 60_000

    init(began: Timestamp, limits: Limits) {
        self.began = began
        skew = Int64(limits.signatureSkewSeconds)
        capacity = limits.signaturesPerKey
    }

    /// How many requests of a key are remembered.
    func count(of key: String) -> Int { pages[key]?.values.reduce(0) { $0 + $1.count } ?? 0 }

    /// Takes a request whose signature is valid and whose date is in its window.
    ///
    /// - Parameter mark: the first bytes of `r`.
    mutating func take(
        _ mark: UInt64, of key: String, dated date: Timestamp, isRead: Bool, at now: Timestamp
    ) -> Verdict {
        let minute = date.milliseconds / Self.minute
        if let first = pages[key]?[minute]?[mark] {
            return isRead && now.milliseconds - first <= Self.readRepeats ? .taken : .repeated
        }
        if !isRead, date.milliseconds < began.milliseconds / 1000 * 1000 {
            return .unknown(Self.seconds(began.milliseconds - date.milliseconds))
        }
        if count(of: key) >= capacity {
            forget(of: key, at: now)
            if count(of: key) >= capacity, let oldest = pages[key]?.keys.min() {
                return .full(Self.seconds(end(of: oldest) - now.milliseconds))
            }
        }
        pages[key, default: [:]][minute, default: [:]][mark] = now.milliseconds
        return .taken
    }

    /// Forgets the minutes whose dates are no longer accepted.
    private mutating func forget(of key: String, at now: Timestamp) {
        pages[key] = pages[key]?.filter { end(of: $0.key) > now.milliseconds }
    }

    /// When the last request of a minute cannot be taken any more.
    private func end(of minute: Int64) -> Int64 { (minute + 1) * Self.minute + (skew + 1) * 1000 }

    private static func seconds(_ milliseconds: Int64) -> Int { Int(max(1, (milliseconds + 999) / 1000)) }
}
