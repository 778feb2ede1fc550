import Records

/// Caches valid API tokens by their hash, valid server-to-server keys by their ID, and the record names of a
/// container's keys.
struct CredentialCache: Sendable {
    private var tokens: [[UInt8]: APIToken] = [:]
    private var keys: [String: ServerKey] = [:]
    private var administrators: [ContainerKey: Set<String>] = [:]
    /// Incremented by `forget()`. An entry that was read before that call is not stored after it.
    private(set) var generation = 0
    private static let capacity = 10_000

    func token(_ hash: [UInt8]) -> APIToken? { tokens[hash] }

    func key(_ id: String) -> ServerKey? { keys[id] }

    func administrators(of place: ContainerKey) -> Set<String>? { administrators[place] }

    /// Stores a token that was read from the directory in the given generation.
    mutating func remember(_ token: APIToken, as hash: [UInt8], readIn generation: Int) {
        guard generation == self.generation else { return }
        if tokens.count >= Self.capacity { tokens.removeAll() }
        tokens[hash] = token
    }

    /// Stores a key that was read from the directory in the given generation.
    mutating func remember(_ key: ServerKey, readIn generation: Int) {
        guard generation == self.generation else { return }
        if keys.count >= Self.capacity { keys.removeAll() }
        keys[key.id] = key
    }

    /// Stores the record names of a container's keys that were read from the directory in the given
    /// generation.
    mutating func remember(
        administrators names: Set<String>, of place: ContainerKey, readIn generation: Int
    ) {
        guard generation == self.generation else { return }
        if administrators.count >= Self.capacity { administrators.removeAll() }
        administrators[place] = names
    }

    /// Empties the cache, after a token was changed or removed, or a key added, changed or removed.
    mutating func forget() {
        generation += 1
        tokens.removeAll()
        keys.removeAll()
        administrators.removeAll()
    }
}
