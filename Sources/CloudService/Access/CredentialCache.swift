import Records

/// API tokens by their hash and keys by their name, none that is revoked.
struct CredentialCache: Sendable {
    private var tokens: [[UInt8]: APIToken] = [:]
    private var keys: [String: ServerKey] = [:]
    /// Counts how often all was forgotten, so that nothing read before that is remembered after it.
    private(set) var generation = 0
    private static let capacity = 10_000

    func token(_ hash: [UInt8]) -> APIToken? { tokens[hash] }

    func key(_ id: String) -> ServerKey? { keys[id] }

    /// Remembers a token that was read from the directory in that generation.
    mutating func remember(_ token: APIToken, as hash: [UInt8], readIn generation: Int) {
        guard generation == self.generation else { return }
        if tokens.count >= Self.capacity { tokens.removeAll() }
        tokens[hash] = token
    }

    /// Remembers a key that was read from the directory in that generation.
    mutating func remember(_ key: ServerKey, readIn generation: Int) {
        guard generation == self.generation else { return }
        if keys.count >= Self.capacity { keys.removeAll() }
        keys[key.id] = key
    }

    /// Forgets everything, after something that is kept here was changed or removed.
    mutating func forget() {
        generation += 1
        tokens.removeAll()
        keys.removeAll()
    }
}
