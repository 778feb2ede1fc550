import Crypto
import Foundation
import Records

/// The token that identifies a session in requests: the session's secret and the time at which this token was
/// issued.
///
/// The text is `106__54__<base64>__<base64>`. The first part is the time of issue with an authentication
/// code, the second is the secret of the session, masked by a hash of the first part. Every answer can
/// therefore carry a new token without writing anything to the directory. The session's lifetime is counted
/// from the time of issue.
struct WebAuthToken: Hashable, Sendable {
    /// 32 random bytes; the directory stores only their hash.
    var secret: [UInt8]
    var issued: Timestamp

    /// The key of the session in the directory.
    var hash: [UInt8] { Array(SHA256.hash(data: secret)) }

    init(secret: [UInt8], issued: Timestamp) {
        self.secret = secret
        self.issued = issued
    }

    /// Reads a token; nil unless a server with this key wrote exactly this text.
    init?(text: String, key: SymmetricKey) {
        guard text.hasPrefix(Self.prefix), text.utf8.count < 400 else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "__", omittingEmptySubsequences: false)
        guard parts.count == 2, let head = Self.bytes(parts[0]), let masked = Self.bytes(parts[1]),
            head.count == 8 + Self.codeLength, masked.count == 32
        else { return nil }
        secret = Self.masked(masked, by: head)
        issued = Timestamp(milliseconds: Int64(bitPattern: head.prefix(8).bigEndianNumber))
        let expected = Self.code(secret, head.prefix(8), key)
        // Takes the same time wherever the first wrong byte is.
        guard zip(expected, head.dropFirst(8)).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
    }

    func text(key: SymmetricKey) -> String {
        var head: [UInt8] = []
        head.append(bigEndian: issued.milliseconds)
        head += Self.code(secret, head[...], key)
        let masked = Self.masked(secret, by: head)
        return Self.prefix + Data(head).base64EncodedString() + "__" + Data(masked).base64EncodedString()
    }

    private static let prefix = "106__54__"
    private static let codeLength = 16

    private static func code(
        _ secret: [UInt8], _ time: ArraySlice<UInt8>, _ key: SymmetricKey
    ) -> ArraySlice<UInt8> {
        Array(HMAC<SHA256>.authenticationCode(for: Array(time) + secret, using: key)).prefix(codeLength)
    }

    private static func masked(_ secret: [UInt8], by head: [UInt8]) -> [UInt8] {
        zip(secret, SHA256.hash(data: head)).map { $0 ^ $1 }
    }

    /// nil for text that is not the canonical base64 of some bytes.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else {
            return nil
        }
        return Array(data)
    }
}
