import Crypto
import Foundation
package import Records

/// Encodes tokens as URL-safe text, and decodes only text with a valid signature (HMAC-SHA256).
///
/// Each process uses a new key. Pending uploads end with the process, so their receipts become invalid with
/// it.
package struct ReceiptSigner: Sendable {
    private let key: SymmetricKey
    private static let signatureLength = SHA256.byteCount

    /// - Parameter key: 32 secret random bytes.
    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Encodes and signs a token: letters, digits, `-` and `_`.
    package func sign<Token: SignedToken>(_ token: Token) -> String {
        var writer = TokenWriter()
        writer.write(Token.kind)
        writer.write(token.expires)
        token.write(to: &writer)
        let signature = HMAC<SHA256>.authenticationCode(for: writer.bytes, using: key)
        return Base64URL.encode(writer.bytes + Array(signature))
    }

    /// Decodes a token.
    ///
    /// - Throws: `Token.refusal` if the text is not a valid token of this kind, or if the token has expired.
    package func verify<Token: SignedToken>(
        _ text: String,
        as kind: Token.Type = Token.self,
        now: Timestamp
    ) throws -> Token {
        guard text.utf8.count <= Self.maximumLength, let bytes = Base64URL.decode(text),
            bytes.count > Self.signatureLength
        else { throw Token.refusal }
        let payload = bytes.dropLast(Self.signatureLength)
        let signature = Array(bytes.suffix(Self.signatureLength))
        // The comparison takes constant time.
        guard HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: payload, using: key) else {
            throw Token.refusal
        }
        guard let token = try? read(payload, as: Token.self), now < token.expires else { throw Token.refusal }
        return token
    }

    private func read<Token: SignedToken>(_ payload: ArraySlice<UInt8>, as kind: Token.Type) throws -> Token {
        var reader = TokenReader(payload)
        guard try reader.readByte() == Token.kind else { throw TokenReader.Malformed() }
        let expires = try reader.readTimestamp()
        let token = try Token(from: &reader, expires: expires)
        guard reader.isAtEnd else { throw TokenReader.Malformed() }
        return token
    }

    /// The maximum length of a text to decode, in bytes. All tokens are shorter.
    private static let maximumLength = 65_536

    private static func encoded(_ bytes: [UInt8]) -> String {
        String(decoding: base64URL(of: bytes), as: UTF8.self)
    }

    /// URL-safe base64 without padding.
    private static func base64URL(of bytes: [UInt8]) -> [UInt8] {
        var letters: [UInt8] = []
        for letter in Data(bytes).base64EncodedData() {
            switch letter {
            case UInt8(ascii: "+"): letters.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): letters.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: letters.append(letter)
            }
        }
        return letters
    }

    /// Decodes URL-safe base64; nil unless `text` is the exact encoding. Base64 has unused bits, which would
    /// otherwise let different texts decode to one token.
    private static func decoded(_ text: String) -> [UInt8]? {
        let given = [UInt8](text.utf8)
        if given.count > maximumLength { return nil }
        var standard = given.map { letter -> UInt8 in
            switch letter {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: letter
            }
        }
        standard += repeatElement(UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        guard let data = Data(base64Encoded: Data(standard)) else { return nil }
        let bytes = [UInt8](data)
        return base64URL(of: bytes) == given ? bytes : nil
    }
}
