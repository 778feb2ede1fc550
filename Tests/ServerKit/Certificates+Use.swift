import AsyncHTTPClient
import CloudletServer
import Foundation
import NIOSSL

@testable import TestKit

extension Certificates {
    /// The files with which a server is configured.
    func files(_ certificate: String = "certificate", _ key: String = "key") -> CertificateFiles {
        CertificateFiles(
            certificate: folder.appendingPathComponent(certificate), key: folder.appendingPathComponent(key))
    }
}

/// Runs `body` with a client that trusts only a certificate file; with nil, the system's certificates.
func withClient(
    trusting path: String?, _ body: (HTTPClient) async throws -> Void
) async throws {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    var encryption = TLSConfiguration.makeClientConfiguration()
    if let path { encryption.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(path)) }
    configuration.tlsConfiguration = encryption
    let client = HTTPClient(configuration: configuration)
    do {
        try await body(client)
    } catch {
        try await client.shutdown()
        throw error
    }
    try await client.shutdown()
}
