import Records

/// Remembers the signed requests that were accepted, for as long as their date would let them be accepted
/// again.
///
/// A request is identified by the random point `r` of its signature. The other half, `s`, is not used:
/// anybody who has seen a signature can make a second valid one with another `s`, but a new `r` requires the
/// key.
///
/// Signers that derive their nonce from the text (RFC 6979) produce the same signature for the same text
/// within one second. A read is therefore accepted again for two seconds after it was first accepted, which
/// reveals nothing new. A repeated change is refused: the server cannot distinguish a second request of the
/// signer from an attacker's copy of the first, and executing a change twice is worse than refusing it.
struct ReplayCache: Sendable {
    /// The decision about a signed request.
    enum Verdict: Hashable, Sendable {
        case accepted
        /// The request was accepted before.
        case repeated
        /// The limit of remembered requests for this key is reached; seconds until there is room.
        case full(Int)
        /// The request is a change dated before the server started, so it may have been executed then. The
        /// payload is the number of seconds until the signer's clock has passed the server's start.
        case datedBeforeStart(Int)
    }

    /// The requests of one minute: `mark` to the time of acceptance, in milliseconds since 1970.
    private typealias Page = [UInt64: Int64]

    /// By key ID, then by the minute of the request's date.
    private var pages: [String: [Int64: Page]] = [:]
    /// Start of the server; requests that were accepted before it are not remembered.
    private let began: Timestamp
    /// Maximum difference in seconds between a request's date and the present, in either direction.
    private let skew: Int64
    /// Maximum number of remembered requests of one key.
    private let capacity: Int

    /// The time after the first acceptance of a read in which it is accepted again.
    private static let readRepeatMilliseconds: Int64 = 2000
    private static let minute: Int64 = 60_000

    init(began: Timestamp, limits: Limits) {
        self.began = began
        skew = Int64(limits.signatureSkewSeconds)
        capacity = limits.signaturesPerKey
    }

    /// Number of remembered requests of a key.
    func count(of key: String) -> Int { pages[key]?.values.reduce(0) { $0 + $1.count } ?? 0 }

    /// Accepts a request whose signature is valid and whose date is near the present, unless it is a replay.
    ///
    /// - Parameter mark: the first 8 bytes of `r`; see `RequestSignature.mark`.
    mutating func accept(
        _ mark: UInt64, of key: String, dated date: Timestamp, isRead: Bool, at now: Timestamp
    ) -> Verdict {
        let minute = date.milliseconds / Self.minute
        if let first = pages[key]?[minute]?[mark] {
            return isRead && now.milliseconds - first <= Self.readRepeatMilliseconds ? .accepted : .repeated
        }
        if !isRead, date.milliseconds < began.milliseconds / 1000 * 1000 {
            return .datedBeforeStart(Self.seconds(began.milliseconds - date.milliseconds))
        }
        if count(of: key) >= capacity {
            forget(of: key, at: now)
            if count(of: key) >= capacity, let oldest = pages[key]?.keys.min() {
                return .full(Self.seconds(end(of: oldest) - now.milliseconds))
            }
        }
        pages[key, default: [:]][minute, default: [:]][mark] = now.milliseconds
        return .accepted
    }

    /// Removes the minutes whose dates are no longer accepted.
    private mutating func forget(of key: String, at now: Timestamp) {
        pages[key] = pages[key]?.filter { end(of: $0.key) > now.milliseconds }
    }

    /// When requests dated in this minute are no longer accepted, in milliseconds since 1970.
    private func end(of minute: Int64) -> Int64 { (minute + 1) * Self.minute + (skew + 1) * 1000 }

    private static func seconds(_ milliseconds: Int64) -> Int { Int(max(1, (milliseconds + 999) / 1000)) }
}
