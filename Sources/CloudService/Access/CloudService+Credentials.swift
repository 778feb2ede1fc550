import Crypto
import Directory
import Foundation
package import Records
import Synchronization

extension CloudService {
    /// Makes an API token. The text is told this once; only its hash is kept.
    ///
    /// Throws `badRequest` for an origin or a callback that is none.
    package func addAPIToken(
        container: String, environment: CloudEnvironment, label: String, allowedOrigins: [String] = [],
        callback: SignInCallback = .message
    ) async throws -> (text: String, token: APIToken) {
        try await settle(container)
        let text = seams.randomHex(bytes: 32)
        let token = APIToken(
            id: seams.randomHex(bytes: 6), container: container, environment: environment, label: label,
            allowedOrigins: try CallbackRules.origins(allowedOrigins),
            callback: try CallbackRules.checked(callback), created: seams.now()
        )
        try await directory.add(token, hash: Self.hash(text))
        return (text, token)
    }

    /// The API tokens of a container, oldest first, the revoked ones too.
    package func apiTokens(of container: String) async throws -> [APIToken] {
        try await directory.apiTokens(of: container)
    }

    /// Revokes an API token by its `id`. Throws `notFound`.
    package func revokeAPIToken(id: String) async throws {
        try await directory.revokeAPIToken(id: id, at: seams.now())
        credentials.withLock { $0.forget() }
    }

    /// Registers the public key of an app's server, in PEM or as base64 of its point.
    ///
    /// Throws `badRequest` when it is no public key on P-256.
    package func addServerKey(
        container: String, environment: CloudEnvironment, label: String, publicKey: String
    ) async throws -> ServerKey {
        try await settle(container)
        let point = try Self.point(of: publicKey)
        let known = try await directory.serverKeys(of: container)
        let key = ServerKey(
            id: seams.randomHex(bytes: 32), container: container, environment: environment, label: label,
            publicKey: point, owner: known.first?.owner ?? "_" + seams.randomHex(bytes: 16),
            created: seams.now()
        )
        try await directory.add(key)
        return key
    }

    /// The server-to-server keys of a container, oldest first, the revoked ones too.
    package func serverKeys(of container: String) async throws -> [ServerKey] {
        try await directory.serverKeys(of: container)
    }

    /// Revokes a server-to-server key by its `id`. Throws `notFound`.
    package func revokeServerKey(id: String) async throws {
        try await directory.revokeServerKey(id: id, at: seams.now())
        credentials.withLock { $0.forget() }
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
            .badRequest, "this is no public key on the curve P-256", culprit: "publicKey",
            nextStep: "make one: openssl ecparam -name prime256v1 -genkey -noout -out key.pem;"
                + " openssl ec -in key.pem -pubout"
        )
    }

    /// What is kept of a token: enough to know it again, too little to use it.
    static func hash(_ token: String) -> [UInt8] {
        Array(SHA256.hash(data: Array(token.utf8)))
    }
}
