import HummingbirdCore

#if Networking
import HummingbirdTLS
import NIOSSL

/// The TLS configuration of a server.
struct Encryption: Sendable {
    let configuration: TLSConfiguration
    /// The server's own certificate in DER.
    let certificate: [UInt8]

    /// Adds TLS to the HTTP server that `builder` makes.
    func applied(to builder: HTTPServerBuilder) throws -> HTTPServerBuilder {
        try .tls(builder, tlsConfiguration: configuration)
    }
}
#else
/// Encryption is not available in a build without the package trait `Networking`. No value of this type
/// exists there.
struct Encryption: Sendable {
    let certificate: [UInt8] = []

    private init() {}

    func applied(to builder: HTTPServerBuilder) throws -> HTTPServerBuilder { builder }
}
#endif
