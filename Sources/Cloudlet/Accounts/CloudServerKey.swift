import Crypto
public import Foundation
internal import RecordsWire

/// The private half of a key that was registered with a container: whoever has it administers the public
/// database, and no other.
///
/// ```swift
/// let key = try CloudServerKey(id: keyID, privateKeyFile: URL(fileURLWithPath: "import.pem"))
/// var connection = CloudConnection(url: serverURL, environment: .production)
/// connection.serverKey = key
/// ```
public struct CloudServerKey: Sendable {
    /// The name that the server gave to the key, 64 hexadecimal digits.
    public let id: String
    private let key: P256.Signing.PrivateKey

    /// A key in PEM, as `openssl ecparam -name prime256v1 -genkey` writes it.
    ///
    /// - Throws: `CKError.invalidArguments` for what is no private key on P-256.
    public init(id: String, privateKey pem: String) throws {
        self.id = id
        // openssl writes the parameters of the curve before the key.
        let start = pem.range(of: "-----BEGIN [A-Z ]*PRIVATE KEY", options: .regularExpression)?.lowerBound
        do {
            key = try P256.Signing.PrivateKey(pemRepresentation: String(pem[(start ?? pem.startIndex)...]))
        } catch {
            throw CKError.invalidArguments(
                "This is no private key on P-256 - make one: "
                    + "openssl ecparam -name prime256v1 -genkey -noout -out key.pem")
        }
    }

    /// A key in PEM in a file.
    ///
    /// - Throws: `CKError.invalidArguments` for a file that cannot be read or holds no private key on P-256.
    public init(id: String, privateKeyFile file: URL) throws {
        guard let pem = try? String(contentsOf: file, encoding: .utf8) else {
            throw CKError.invalidArguments("The key file \(file.path) cannot be read")
        }
        try self.init(id: id, privateKey: pem)
    }

    private init(id: String, key: P256.Signing.PrivateKey) {
        self.id = id
        self.key = key
    }

    /// A new key without a name: register its `publicKey`, then give it the name that the server says.
    public static func generate() -> CloudServerKey {
        CloudServerKey(id: "", key: P256.Signing.PrivateKey())
    }

    /// The same key under the name that the server gave to it.
    public func named(_ id: String) -> CloudServerKey {
        CloudServerKey(id: id, key: key)
    }

    /// The public half in PEM, which the operator of the server registers.
    public var publicKey: String { key.publicKey.pemRepresentation }

    /// The request with the three headers that prove who sends it.
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
