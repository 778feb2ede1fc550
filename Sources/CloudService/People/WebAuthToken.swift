import Crypto
import Foundation
import Records

/// What a person's app shows with each request: which session, and when this token was given out.
///
/// `106__54__<base64>__<base64>`: the first part is the time and a code that proves it, the second the secret
/// of the session under a mask that differs with the first. So every answer can carry a new token without
/// anything being written, and each one is good for the lifetime of its own.
struct WebAuthToken: Hashable, Sendable {
    /// 32 random bytes; the directory knows their hash only.
    var secret: [UInt8]
    var issued: Timestamp

    /// The key under which the directory finds the session.
    var hash: [UInt8] { Array(SHA256.hash(data: secret)) }

    init(secret: [UInt8], issued: Timestamp) {
        self.secret = secret
        self.issued = issued
    }

    /// Reads a token; nil unless the server with this key wrote it, letter for letter.
    init?(text: String, key: SymmetricKey) {
        guard text.hasPrefix(Self.prefix), text.utf8.count < 400 else { return nil }
        let parts = text.dropFirst(Self.prefix.count).split(separator: "__", omittingEmptySubsequences: false)
        guard parts.count == 2, let head = Self.bytes(parts[0]), let masked = Self.bytes(parts[1]),
            head.count == 8 + Self.codeLength, masked.count == 32
        else { return nil }
        secret = Self.masked(masked, by: head)
        issued = Timestamp(milliseconds: head.prefix(8).reduce(0) { $0 << 8 | Int64($1) })
        let expected = Self.code(secret, head.prefix(8), key)
        // Takes the same time wherever the first wrong byte is.
        guard zip(expected, head.dropFirst(8)).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0 else { return nil }
    }

    func text(key: SymmetricKey) -> String {
        var head = withUnsafeBytes(of: issued.milliseconds.bigEndian) { Array($0) }
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

    /// nil for text that is not exactly how some bytes are written.
    private static func bytes(_ text: Substring) -> [UInt8]? {
        guard let data = Data(base64Encoded: String(text)), data.base64EncodedString() == text else {
            return nil
        }
        return Array(data)
    }
}
