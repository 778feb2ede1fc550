import Crypto
import Foundation
package import Records

/// Encodes tokens as URL-safe text, and decodes only text with a valid signature (HMAC-SHA256).
///
/// The key is made from the secret of the installation, so a token that one node signed is valid at all
/// nodes, and after a restart.
package struct TicketSigner: Sendable {
    private let key: SymmetricKey
    private static let signatureLength = SHA256.byteCount

    /// - Parameter secret: the secret of the installation, 32 random bytes. Other keys are made from it, too.
    package init(secret: [UInt8]) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret), info: Array("tickets and receipts".utf8),
            outputByteCount: Self.signatureLength)
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
}
