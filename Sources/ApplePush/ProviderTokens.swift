import Records

/// The current provider token (a JSON Web Token) for Apple's push service. Apple rejects tokens older than an
/// hour, and limits how often a provider renews them:
/// https://developer.apple.com/documentation/usernotifications/establishing-a-token-based-connection-to-apns
struct ProviderTokens: Hashable, Sendable {
    private struct Token: Hashable {
        var text: String
        var made: Timestamp
    }

    private var current: Token?

    /// The age in seconds at which a token is renewed.
    static let lifetime: Int64 = 3000

    /// The current token; nil if a new one is needed.
    func usable(at now: Timestamp) -> String? {
        guard let current, now < current.made.advanced(bySeconds: Self.lifetime), now >= current.made else {
            return nil
        }
        return current.text
    }

    mutating func keep(_ text: String, made: Timestamp) {
        current = Token(text: text, made: made)
    }

    /// Removes a rejected token, unless it has already been replaced.
    mutating func discard(_ text: String) {
        if current?.text == text { current = nil }
    }
}
