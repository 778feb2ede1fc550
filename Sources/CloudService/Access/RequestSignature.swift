import Crypto
import Foundation
import Records

/// What the headers of a signed request say, and what was signed.
package struct RequestSignature: Hashable, Sendable {
    package var keyID: String
    /// As the header says it: the very text is signed.
    package var date: String
    /// Base64 of the signature in DER.
    package var signature: String
    /// The target as it was received: path and, if there is one, query.
    package var target: String
    /// Empty until it has been received.
    package var body: [UInt8] = []
    /// Whether the request changes nothing.
    package var isRead = false

    package init(keyID: String, date: String, signature: String, target: String) {
        self.keyID = keyID
        self.date = date
        self.signature = signature
        self.target = target
    }

    /// How much of the target a signature covers.
    enum Coverage: Hashable {
        /// All of it.
        case target
        /// The path, and not the query behind it: that may be anybody's.
        case path
    }

    /// When the request says it was signed; nil for anything but a UTC time in whole seconds.
    var time: Timestamp? {
        guard date.utf8.count == 20, date.hasSuffix("Z"),
            let time = try? Date(date, strategy: .iso8601)
        else { return nil }
        return Timestamp(time, rounded: .towardZero)
    }

    /// What of the target the key signed, in any of the texts that clients are known to sign: with the query
    /// or without it, and of an empty body the hash or nothing. nil when it signed none of them.
    func coverage(by key: ServerKey) -> Coverage? {
        guard let data = Data(base64Encoded: signature), data.base64EncodedString() == signature,
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: data),
            signature.derRepresentation == data,
            let key = try? P256.Signing.PublicKey(x963Representation: key.publicKey)
        else { return nil }
        return texts.first { key.isValidSignature(signature, for: Array($0.text.utf8)) }?.coverage
    }

    /// What tells the request from every other that the key signed: the first bytes of the signature's `r`.
    var mark: UInt64? {
        guard let data = Data(base64Encoded: signature),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: data)
        else { return nil }
        return signature.rawRepresentation.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private var texts: [(text: String, coverage: Coverage)] {
        let hash = Data(SHA256.hash(data: body)).base64EncodedString()
        let path = target.prefix { $0 != "?" }
        let whole: [(String, Coverage)] = [(target, .target)]
        let places = path.count == target.count ? whole : whole + [(String(path), .path)]
        let hashes = body.isEmpty ? [hash, ""] : [hash]
        return places.flatMap { place, coverage in hashes.map { ("\(date):\($0):\(place)", coverage) } }
    }
}
