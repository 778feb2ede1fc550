import HummingbirdCore

#if TLS
import HummingbirdTLS
import NIOSSL

/// How connections are encrypted.
struct Encryption: Sendable {
    let configuration: TLSConfiguration

    /// A server that expects TLS and speaks HTTP within it as `builder` does.
    func applied(to builder: HTTPServerBuilder) throws -> HTTPServerBuilder {
        try .tls(builder, tlsConfiguration: configuration)
    }
}
#else
/// How connections are encrypted; a build without the package trait `TLS` makes no value of this type.
struct Encryption: Sendable {
    private init() {}

    func applied(to builder: HTTPServerBuilder) throws -> HTTPServerBuilder { builder }
}
#endif
