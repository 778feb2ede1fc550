package import Records

/// API tokens and server-to-server keys.
///
/// - A secret is the first candidate for its name.
/// - A token is found by its hash and by its id, revoked or not.
/// - A token whose hash or id is there is refused with `exists`.
/// - A key is found by its id, revoked or not; a second one of the same id is refused with `exists`.
/// - The tokens and the keys of a container are listed oldest first.
/// - A token or key is revoked once; after that, or when there is none, revoking fails with `notFound`.
package protocol CredentialDirectory: Sendable {
    /// The bytes kept under a name: `candidate` the first time, the same ever after.
    func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8]

    /// Keeps a token under its hash. Throws `exists`.
    func add(_ token: APIToken, hash: [UInt8]) async throws

    /// The token, revoked or not; nil if there is none.
    func apiToken(hash: [UInt8]) async throws -> APIToken?

    /// The token with that `id`, revoked or not; nil if there is none.
    func apiToken(id: String) async throws -> APIToken?

    /// The tokens of a container, oldest first.
    func apiTokens(of container: String) async throws -> [APIToken]

    /// Revokes a token. Throws `notFound` when none in force has that `id`.
    func revokeAPIToken(id: String, at time: Timestamp) async throws

    /// Adds a key. Throws `exists`.
    func add(_ key: ServerKey) async throws

    /// The key, revoked or not; nil if there is none.
    func serverKey(id: String) async throws -> ServerKey?

    /// The keys of a container, oldest first.
    func serverKeys(of container: String) async throws -> [ServerKey]

    /// Revokes a key. Throws `notFound` when none in force has that `id`.
    func revokeServerKey(id: String, at time: Timestamp) async throws
}
