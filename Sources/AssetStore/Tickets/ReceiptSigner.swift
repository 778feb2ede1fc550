import Crypto
import Foundation
package import Records

/// Makes URL-safe text of tokens and takes no text that it did not make (HMAC-SHA256).
///
/// Each process makes a key of its own: uploads that were under way do not outlive the process, so neither
/// must their receipts.
package struct ReceiptSigner: Sendable {
    private let key: SymmetricKey
    private static let signatureLength = SHA256.byteCount

    /// - Parameter key: 32 random bytes that nobody else knows.
    package init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Letters, digits, `-` and `_`.
    package func sign<Token: SignedToken>(_ token: Token) -> String {
        var writer = TokenWriter()
        writer.write(Token.kind)
        writer.write(token.expires)
        token.write(to: &writer)
        let signature = HMAC<SHA256>.authenticationCode(for: writer.bytes, using: key)
        return Self.text(writer.bytes + Array(signature))
    }

    /// The token that `text` was made of.
    ///
    /// - Throws: the kind's `refusal` for everything else, and from the moment at which the token expires.
    package func verify<Token: SignedToken>(
        _ text: String,
        as kind: Token.Type = Token.self,
        now: Timestamp
    ) throws -> Token {
        guard let bytes = Self.bytes(text), bytes.count > Self.signatureLength else { throw Token.refusal }
        let payload = bytes.dropLast(Self.signatureLength)
        let signature = Array(bytes.suffix(Self.signatureLength))
        // Takes the same time wherever the first wrong byte is.
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

    private static func text(_ bytes: [UInt8]) -> String {
        String(
            Data(bytes).base64EncodedString().compactMap { character in
                switch character {
                case "+": "-"
                case "/": "_"
                case "=": nil
                default: character
                }
            })
    }

    /// Nil for text that is not exactly how some bytes are written: base64 has spare bits that would
    /// otherwise let different texts pass for one token.
    private static func bytes(_ text: String) -> [UInt8]? {
        var standard = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: standard) else { return nil }
        let bytes = Array(data)
        return Self.text(bytes) == text ? bytes : nil
    }
}
