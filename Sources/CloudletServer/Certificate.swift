public import Foundation
import ServerData

#if Networking
import NIOSSL
#endif

/// The files with a server's TLS certificate and key.
public struct CertificateFiles: Hashable, Sendable {
    /// A file with the certificate, followed by the certificates of the intermediate authorities, in PEM.
    public var certificate: URL
    /// A file with the certificate's private key in PEM, without a pass phrase.
    public var key: URL

    /// Creates a value from the two files.
    public init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }
}

#if Networking
extension CertificateFiles {
    /// The TLS configuration with these files. Throws `certificateUnusable`, which names the file and the
    /// reason.
    func encryption() throws(ServerError) -> Encryption {
        let chain = try certificates()
        let key = try privateKey()
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuites = Self.ciphers
        do {
            // Creating the context here checks the files before any other part of the server starts.
            _ = try NIOSSLContext(configuration: configuration)
        } catch {
            throw Self.unusable(
                "the key \(self.key.path) does not belong to the certificate \(certificate.path)",
                "give the key with which the certificate was created"
            )
        }
        return Encryption(configuration: configuration, certificate: try Self.bytes(of: chain))
    }

    /// The first certificate of the chain, which is the server's own, in DER.
    private static func bytes(of chain: [NIOSSLCertificate]) throws(ServerError) -> [UInt8] {
        if let bytes = try? chain.first?.toDERBytes() { return bytes }
        throw unusable("the certificate cannot be encoded in DER", "create another certificate")
    }

    /// The cipher suites of TLS 1.2 with forward secrecy and authenticated encryption. A key that is stolen
    /// later cannot decrypt connections that were recorded before. All suites of TLS 1.3 have these
    /// properties.
    private static let ciphers = [
        "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-ECDSA-CHACHA20-POLY1305", "ECDHE-RSA-CHACHA20-POLY1305",
    ].joined(separator: ":")

    private func certificates() throws(ServerError) -> [NIOSSLCertificate] {
        let bytes = try Self.contents(of: certificate, "certificate")
        if let chain = try? NIOSSLCertificate.fromPEMBytes(bytes), !chain.isEmpty { return chain }
        throw Self.unusable(
            "the file \(certificate.path) contains no certificate in PEM",
            "give a file that contains -----BEGIN CERTIFICATE-----"
        )
    }

    private func privateKey() throws(ServerError) -> NIOSSLPrivateKey {
        let bytes = try Self.contents(of: key, "key")
        if let key = try? NIOSSLPrivateKey(bytes: bytes, format: .pem) { return key }
        throw Self.unusable(
            "the file \(key.path) contains no private key in PEM that can be read",
            "give a file that contains a PRIVATE KEY without a pass phrase"
        )
    }

    private static func contents(of file: URL, _ what: String) throws(ServerError) -> [UInt8] {
        do {
            return Array(try Data(contentsOf: file))
        } catch {
            throw unusable(
                "the \(what) file \(file.path) cannot be read",
                "check that the file exists and that this user may read it"
            )
        }
    }

    private static func unusable(_ reason: String, _ nextStep: String) -> ServerError {
        ServerError(.certificateUnusable, reason, nextStep: nextStep)
    }
}
#else
extension CertificateFiles {
    /// Throws `certificateUnusable`, because this build has no TLS.
    func encryption() throws(ServerError) -> Encryption {
        throw ServerError(
            .certificateUnusable,
            "the certificate \(certificate.path) cannot be used: this program was built without TLS",
            nextStep:
                "build it with the package trait Networking, or run a proxy with HTTPS in front of the server"
        )
    }
}
#endif
