package import Records

/// API tokens and server-to-server keys. All methods throw `RecordError`.
package protocol CredentialDirectory: Sendable {
    /// The bytes kept under a name: `candidate` at first, the same ever after.
    func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8]

    /// Remembers a token by its hash.
    func add(_ token: APIToken, hash: [UInt8]) async throws

    /// The token, revoked or not; nil if it is nobody's.
    func apiToken(hash: [UInt8]) async throws -> APIToken?

    /// The token with that `id`, revoked or not; nil if there is none.
    func apiToken(id: String) async throws -> APIToken?

    /// The tokens of a container, oldest first.
    func apiTokens(of container: String) async throws -> [APIToken]

    /// Revokes a token. Throws `notFound` when none in force has that `id`.
    func revokeAPIToken(id: String, at time: Timestamp) async throws

    /// Adds a key; one of the same `id` must not be there.
    func add(_ key: ServerKey) async throws

    /// The key, revoked or not; nil if there is none of that name.
    func serverKey(id: String) async throws -> ServerKey?

    /// The keys of a container, oldest first.
    func serverKeys(of container: String) async throws -> [ServerKey]

    /// Revokes a key. Throws `notFound` when none in force has that `id`.
    func revokeServerKey(id: String, at time: Timestamp) async throws
}
