import CloudService
import CloudletServer
import Crypto
import Foundation
import Records
import RecordsWire

@testable import TestKit

extension ServerWorld {
    /// Creates an API token and returns its text.
    func app(
        container: String = "iCloud.test", origins: [String] = [], callback: String? = nil
    ) async throws -> String {
        try await createContainer(container)
        return try await service.credentials.addAPIToken(
            container: container, environment: .development, label: "test", allowedOrigins: origins,
            callback: callback.map { .redirect($0) } ?? .message
        ).text
    }

    /// Registers a key and returns its ID.
    func register(_ publicKey: String) async throws -> String {
        try await createContainer()
        return try await service.credentials.addServerKey(
            container: "iCloud.test", environment: .development, label: "test", publicKey: publicKey
        ).id
    }

    /// Calls an endpoint with a request that a server key signs: a GET if there is no body.
    func call(
        _ endpoint: String, _ body: JSON?, _ key: String, _ pair: P256.Signing.PrivateKey,
        isForDevice: Bool = false
    ) async throws -> Reply {
        let bytes = try body?.encoded() ?? []
        let path = Self.target(endpoint)
        let target = isForDevice ? path.replacing("/database/", with: "/device/") : path
        // The time of the tests' clock.
        let date = "2014-06-02T12:00:00Z"
        let signature = try pair.sign("\(date):\(SignedRequest.hash(bytes)):\(target)")
        return try await send(
            body == nil ? "GET" : "POST", target, headers: SignedRequest.headers(key, date, signature),
            body: bytes)
    }
}

/// The headers and body hash of a request that a server key signs.
enum SignedRequest {
    static func headers(_ key: String, _ date: String, _ signature: [UInt8]) -> CloudHeaders {
        [
            "X-Apple-CloudKit-Request-KeyID": key, "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1": Data(signature).base64EncodedString(),
        ]
    }

    static func hash(_ body: [UInt8]) -> String {
        Data(SHA256.hash(data: body)).base64EncodedString()
    }
}

extension P256.Signing.PrivateKey {
    func sign(_ text: String) throws -> [UInt8] {
        Array(try signature(for: Array(text.utf8)).derRepresentation)
    }
}
