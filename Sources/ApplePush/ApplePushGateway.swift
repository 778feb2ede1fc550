import AsyncHTTPClient
package import CloudService
import Foundation
import JWTKit
import NIOCore
import NIOHTTP1
package import NIOSSL
package import Records
import Synchronization

/// Sends pushes to devices through Apple Push Notification service.
package final class ApplePushGateway: PushGateway {
    /// The provider's credentials and the address of the push service.
    package struct Settings: Sendable {
        /// The provider's private key in PEM form, as Apple issues it (`AuthKey_….p8`).
        package var key: String
        package var keyID: String
        package var teamID: String
        /// The app's bundle identifier.
        package var topic: String
        /// The URL of the push service, without a trailing slash; nil: Apple's, depending on the device's
        /// environment.
        package var address: String?
        /// The trusted certificate authorities; nil: the system's.
        package var trusted: [NIOSSLCertificate]?
        package var payloadLimit: Int

        package init(
            key: String, keyID: String, teamID: String, topic: String, address: String? = nil,
            trusted: [NIOSSLCertificate]? = nil, payloadLimit: Int
        ) {
            self.key = key
            self.keyID = keyID
            self.teamID = teamID
            self.topic = topic
            self.address = address
            self.trusted = trusted
            self.payloadLimit = payloadLimit
        }
    }

    private let settings: Settings
    private let client: HTTPClient
    private let key: ES256PrivateKey
    private let now: @Sendable () -> Timestamp
    private let tokens = Mutex(ProviderTokens())

    /// The timeout of one request, in real time rather than by `now`.
    private static let requestTimeout = TimeAmount.seconds(30)

    /// Throws if the private key cannot be read.
    package init(_ settings: Settings, now: @escaping @Sendable () -> Timestamp) throws {
        self.settings = settings
        self.now = now
        key = try ES256PrivateKey(pem: settings.key)
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        if let trusted = settings.trusted {
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.trustRoots = .certificates(trusted)
            configuration.tlsConfiguration = encryption
        }
        client = HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }

    package func close() async {
        try? await client.shutdown()
    }

    package func send(
        _ push: GatewayPush, to deviceToken: String, of service: PushToken.Service
    ) async -> GatewayAnswer {
        let request = ApplePushRequest(
            push, to: deviceToken, topic: settings.topic, limit: settings.payloadLimit)
        var isFirst = true
        while true {
            do {
                let token = try await providerToken()
                switch try await exchange(request, service, token) {
                case .done(let answer): return answer
                case .renewToken(let reason):
                    tokens.withLock { $0.discard(token) }
                    // Apple rejects even a new token as expired if the clocks differ.
                    if !isFirst {
                        return .later("\(reason) to a new token: check the server's clock", seconds: 60)
                    }
                    isFirst = false
                }
            } catch {
                return .later("Apple's push service cannot be reached: \(error)", seconds: nil)
            }
        }
    }

    private func exchange(
        _ request: ApplePushRequest, _ service: PushToken.Service, _ token: String
    ) async throws -> ApplePushVerdict {
        var outgoing = HTTPClientRequest(url: address(of: service) + request.path)
        outgoing.method = .POST
        outgoing.headers.add(name: "authorization", value: "bearer \(token)")
        for (name, value) in request.headers { outgoing.headers.add(name: name, value: value) }
        outgoing.body = .bytes(request.payload)
        let response = try await client.execute(outgoing, timeout: Self.requestTimeout)
        guard response.version == .http2 else {
            return .done(
                .later("Apple's push service did not answer with HTTP/2: check the proxy", seconds: 60))
        }
        let body = try await response.body.collect(upTo: 16_384)
        return ApplePushVerdict(
            status: response.status.code, body: Array(body.readableBytesView),
            retryAfter: response.headers.first(name: "retry-after"))
    }

    private func address(of service: PushToken.Service) -> String {
        if let address = settings.address { return address }
        switch service {
        case .production: return "https://api.push.apple.com"
        case .development: return "https://api.sandbox.push.apple.com"
        }
    }

    // MARK: Provider tokens

    private struct Claims: JWTPayload {
        var iss: String
        var iat: Int64

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func providerToken() async throws -> String {
        let now = now()
        if let token = tokens.withLock({ $0.usable(at: now) }) { return token }
        let kid = JWKIdentifier(string: settings.keyID)
        let keys = await JWTKeyCollection().add(ecdsa: key, kid: kid)
        let claims = Claims(iss: settings.teamID, iat: now.milliseconds / 1000)
        let token = try await keys.sign(claims, kid: kid)
        // If several calls created a token at once, all use the first: Apple limits how often tokens change.
        return tokens.withLock { tokens in
            if let other = tokens.usable(at: now) { return other }
            tokens.keep(token, made: now)
            return token
        }
    }
}
