#if Networking
internal import AsyncHTTPClient
internal import NIOCore
internal import NIOSSL
internal import RecordsWire

/// The certificates that an HTTP client trusts in place of the system's.
enum TrustedCertificates: Hashable {
    /// All certificates in this PEM file, and those that they signed.
    case file(String)
    /// Only the server's own certificate, in DER; for any host name, and also after its expiry.
    case exactly([UInt8])
}

extension HTTPClient.Configuration {
    /// Trusts these certificates only.
    ///
    /// - Throws: `CKError.badContainer` if there is no certificate in the file or in the bytes.
    mutating func trust(_ trusted: TrustedCertificates) throws {
        switch trusted {
        case .file(let path):
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else {
                throw CKError.make(
                    .badContainer,
                    "The file cannot be read, or contains no certificate in PEM [\(path)] - check its path"
                )
            }
            var encryption = TLSConfiguration.makeClientConfiguration()
            encryption.trustRoots = .certificates(certificates)
            tlsConfiguration = encryption
        case .exactly(let bytes):
            guard let certificate = try? NIOSSLCertificate(bytes: bytes, format: .der) else {
                throw CKError.make(
                    .badContainer, "The bytes are not a certificate - use a certificate in DER")
            }
            trust(onlyServerWith: certificate)
        }
    }

    /// Sends requests only over connections to a server that has proved to own this certificate.
    private mutating func trust(onlyServerWith certificate: NIOSSLCertificate) {
        var encryption = TLSConfiguration.makeClientConfiguration()
        // The comparison below replaces the usual verification of host name and authority. The handshake
        // still proves that the server has the private key of the certificate.
        encryption.certificateVerification = .none
        tlsConfiguration = encryption
        // The library calls the closure below for connections of HTTP/1 only, before their first request.
        httpVersion = .http1Only
        http1_1ConnectionDebugInitializer = { channel in
            channel.nioSSL_peerCertificate().flatMapThrowing { presented -> Void in
                if presented == certificate { return }
                // Close later, because the connection pool must process the failure first.
                channel.eventLoop.execute { channel.close(promise: nil) }
                throw CloudTransportError.unreachable(
                    "its certificate is not the expected one; check that no other program listens there")
            }
        }
    }
}
#endif
