package import Records

/// Stores API tokens, server-to-server keys, and the server's own secrets.
///
/// - A secret is the first candidate that was passed for its name, and is missing before.
/// - A token is found by its hash and by its ID, revoked or not.
/// - Adding a token whose hash or ID is in use fails with `exists`.
/// - A key is found by its ID, revoked or not; adding another with the same ID fails with `exists`.
/// - The tokens and the keys of a container are listed oldest first.
/// - Revoking a token or key that is missing or already revoked fails with `notFound`.
package protocol CredentialDirectory: Sendable {
    /// The secret with that name: `candidate` on the first call, the same bytes on later calls.
    func secret(named name: String, candidate: [UInt8]) async throws -> [UInt8]

    /// The secret with that name; nil if there is none.
    func secret(named name: String) async throws -> [UInt8]?

    /// Adds a token under its hash. Throws `exists` if the hash or the `id` is in use.
    func add(_ token: APIToken, hash: [UInt8]) async throws

    /// The token with that hash, revoked or not; nil if there is none.
    func apiToken(hash: [UInt8]) async throws -> APIToken?

    /// The token with that `id`, revoked or not; nil if there is none.
    func apiToken(id: String) async throws -> APIToken?

    /// The tokens of a container, oldest first.
    func apiTokens(of container: String) async throws -> [APIToken]

    /// Revokes a token. Throws `notFound` if it is missing or already revoked.
    func revokeAPIToken(id: String, at time: Timestamp) async throws

    /// Adds a key. Throws `exists` if its `id` is in use.
    func add(_ key: ServerKey) async throws

    /// The key with that `id`, revoked or not; nil if there is none.
    func serverKey(id: String) async throws -> ServerKey?

    /// The keys of a container, oldest first.
    func serverKeys(of container: String) async throws -> [ServerKey]

    /// Revokes a key. Throws `notFound` if it is missing or already revoked.
    func revokeServerKey(id: String, at time: Timestamp) async throws
}
