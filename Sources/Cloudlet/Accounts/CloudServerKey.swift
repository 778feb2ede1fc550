import Crypto
public import Foundation
internal import RecordsWire

/// A server-to-server key: the private half of a key pair that is registered with a container. It administers
/// the public database: it reads and writes all records there, regardless of their creators and of the
/// permissions in the schema. It gives access to no other database.
///
/// The creator of new records is the key's own record name. A record of a person keeps its creator when the
/// key changes it.
public struct CloudServerKey: Sendable {
    /// The ID that the server gave to the key: 64 hexadecimal digits.
    public let id: String
    private let key: P256.Signing.PrivateKey

    /// Creates a key from PEM text, as `openssl ecparam -name prime256v1 -genkey` writes it.
    ///
    /// - Throws: `CKError.invalidArguments` if the text is not a private key on the curve P-256.
    public init(id: String, privateKey pem: String) throws {
        self.id = id
        // openssl writes the curve's parameters in front of the key.
        let start = pem.range(of: "-----BEGIN [A-Z ]*PRIVATE KEY", options: .regularExpression)?.lowerBound
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: String(pem[(start ?? pem.startIndex)...]))
        } catch {
            throw CKError.invalidArguments(
                "This is not a private key on the curve P-256 - create one: "
                    + "openssl ecparam -name prime256v1 -genkey -noout -out key.pem")
        }
    }

    /// Creates a key from a PEM file.
    ///
    /// - Throws: `CKError.invalidArguments` if the file cannot be read or contains no private key on the
    ///   curve P-256.
    public init(id: String, privateKeyFile file: URL) throws {
        guard let pem = try? String(contentsOf: file, encoding: .utf8) else {
            throw CKError.invalidArguments(
                "The key file \(file.path) cannot be read - check its path and its permissions")
        }
        try self.init(id: id, privateKey: pem)
    }

    private init(id: String, key: P256.Signing.PrivateKey) {
        self.id = id
        self.key = key
    }

    /// Generates a new key with an empty ID. Register its `publicKey` with the server, then pass the ID that
    /// the server returns to `named(_:)`.
    public static func generate() -> CloudServerKey {
        CloudServerKey(id: "", key: P256.Signing.PrivateKey())
    }

    /// The same key with the ID that the server gave to it.
    public func named(_ id: String) -> CloudServerKey {
        CloudServerKey(id: id, key: key)
    }

    /// The public half in PEM, to register with the server.
    public var publicKey: String { key.publicKey.pemRepresentation }

    /// The request with the three headers of a server-to-server signature: key ID, date and signature.
    func signed(_ request: CloudRequest, at date: Date) throws -> CloudRequest {
        var body: [UInt8] = []
        if case .bytes(let bytes) = request.body { body = bytes }
        let time = date.formatted(.iso8601)
        let hash = Data(SHA256.hash(data: body)).base64EncodedString()
        let signature = try key.signature(for: Array("\(time):\(hash):\(request.target)".utf8))
        var signed = request
        signed.headers["X-Apple-CloudKit-Request-KeyID"] = id
        signed.headers["X-Apple-CloudKit-Request-ISO8601Date"] = time
        signed.headers["X-Apple-CloudKit-Request-SignatureV1"] =
            signature.derRepresentation.base64EncodedString()
        return signed
    }
}
