import Records

/// The token by which the server proves to Apple whom it sends for. Apple refuses one that is an hour old,
/// and minds when it is renewed much more often than that.
struct ProviderTokens: Hashable, Sendable {
    private struct Token: Hashable {
        var text: String
        var made: Timestamp
    }

    private var current: Token?

    /// Seconds after which a token is renewed.
    static let lifetime: Int64 = 3000

    /// The token to send with; nil: a new one is to be made.
    func usable(at now: Timestamp) -> String? {
        guard let current, now < current.made.advanced(bySeconds: Self.lifetime), now >= current.made else {
            return nil
        }
        return current.text
    }

    mutating func keep(_ text: String, made: Timestamp) {
        current = Token(text: text, made: made)
    }

    /// Gives up a token that was refused, unless another has taken its place.
    mutating func discard(_ text: String) {
        if current?.text == text { current = nil }
    }
}
