import Crypto
import Directory
import Foundation
package import Records
import Synchronization

/// Identifies callers by their credentials, and manages the API tokens and server-to-server keys of
/// containers.
package final class CredentialService: Sendable {
    let context: ServiceContext
    let containerRegistry: ContainerRegistry
    let sessions: SessionService
    let cache = Mutex(CredentialCache())
    let replays: Mutex<ReplayCache>

    /// - Parameter started: The start of the server, which does not know the signatures of earlier requests.
    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, sessions: SessionService,
        started: Timestamp
    ) {
        self.context = context
        self.containerRegistry = containerRegistry
        self.sessions = sessions
        replays = Mutex(ReplayCache(began: started, limits: context.limits))
    }

    /// Empties the cache, after keys were added, or tokens or keys were revoked or removed, so that they are
    /// read from the directory again.
    func clearCache() { cache.withLock { $0.forget() } }

    /// Creates an API token. Its text is returned only here, because the server stores just a hash of it.
    ///
    /// Throws `badRequest` for an invalid origin or callback address.
    package func addAPIToken(
        container: String, environment: CloudEnvironment, label: String, allowedOrigins: [String] = [],
        callback: SignInCallback = .message
    ) async throws -> (text: String, token: APIToken) {
        try await containerRegistry.createIfNeeded(container)
        let text = context.runtime.randomHex(bytes: 32)
        let token = APIToken(
            id: context.runtime.randomHex(bytes: 6), container: container, environment: environment,
            label: label,
            allowedOrigins: try CallbackRules.origins(allowedOrigins),
            callback: try CallbackRules.checked(callback), created: context.runtime.now()
        )
        try await context.directory.add(token, hash: Self.hash(text))
        return (text, token)
    }

    /// The API tokens of a container, oldest first, including revoked ones.
    package func apiTokens(of container: String) async throws -> [APIToken] {
        try await context.directory.apiTokens(of: container)
    }

    /// Revokes an API token by its `id`. Throws `notFound` if it is missing or already revoked.
    package func revokeAPIToken(id: String) async throws {
        try await context.directory.revokeAPIToken(id: id, at: context.runtime.now())
        clearCache()
    }

    /// The container and environment of an API token, revoked or not; nil if there is none with this `id`.
    package func place(ofAPIToken id: String) async throws -> ContainerKey? {
        try await context.directory.apiToken(id: id).map {
            ContainerKey(container: $0.container, environment: $0.environment)
        }
    }

    /// Registers the public key of an app's server, given in PEM or as the base64 of its uncompressed point.
    ///
    /// Throws `badRequest` if the text is no public key on the curve P-256.
    package func addServerKey(
        container: String, environment: CloudEnvironment, label: String, publicKey: String
    ) async throws -> ServerKey {
        try await containerRegistry.createIfNeeded(container)
        let point = try Self.point(of: publicKey)
        let known = try await context.directory.serverKeys(of: container)
        let key = ServerKey(
            id: context.runtime.randomHex(bytes: 32), container: container, environment: environment,
            label: label,
            publicKey: point, owner: known.first?.owner ?? "_" + context.runtime.randomHex(bytes: 16),
            created: context.runtime.now()
        )
        try await context.directory.add(key)
        clearCache()
        return key
    }

    /// The server-to-server keys of a container, oldest first, including revoked ones.
    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try await context.directory.serverKeys(of: container)
    }

    /// The record names under which operators and the container's valid keys write: administrators of its
    /// public database in that environment.
    func administrators(of place: ContainerKey) async throws -> Set<String> {
        let (known, generation) = cache.withLock { ($0.administrators(of: place), $0.generation) }
        if let known { return known }
        let keys = try await context.directory.serverKeys(of: place.container)
        let owners = keys.lazy.filter { $0.revoked == nil && $0.environment == place.environment }.map(
            \.owner)
        let names = Set(owners).union([Caller.operatorName])
        cache.withLock { $0.remember(administrators: names, of: place, readIn: generation) }
        return names
    }

    /// Revokes a server-to-server key by its `id`. Throws `notFound` if it is missing or already revoked.
    package func revokeServerKey(id: String) async throws {
        try await context.directory.revokeServerKey(id: id, at: context.runtime.now())
        clearCache()
    }

    /// The container and environment of a server-to-server key, revoked or not; nil if there is none with
    /// this `id`.
    package func place(ofServerKey id: String) async throws -> ContainerKey? {
        try await context.directory.serverKey(id: id).map {
            ContainerKey(container: $0.container, environment: $0.environment)
        }
    }

    private static func point(of text: String) throws(RecordError) -> [UInt8] {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let key: P256.Signing.PublicKey? =
            if trimmed.hasPrefix("-----BEGIN") {
                try? P256.Signing.PublicKey(pemRepresentation: trimmed)
            } else {
                Data(base64Encoded: trimmed).flatMap { try? P256.Signing.PublicKey(x963Representation: $0) }
            }
        if let key { return Array(key.x963Representation) }
        throw RecordError(
            .badRequest, "this is not a public key on the curve P-256", culprit: "publicKey",
            nextStep: "make one: openssl ecparam -name prime256v1 -genkey -noout -out key.pem;"
                + " openssl ec -in key.pem -pubout"
        )
    }

    /// SHA-256 of a token, under which the directory stores it.
    static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}
