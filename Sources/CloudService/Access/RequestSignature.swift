import Crypto
import Foundation
import Records

/// The headers of a signed request, and the parts of the request that the signature covers.
package struct RequestSignature: Hashable, Sendable {
    package var keyID: String
    /// The date exactly as in the header, because the signed text contains it.
    package var date: String
    /// The signature: base64 of its DER form.
    package var signature: String
    /// The request target as received: path and, if there is one, query.
    package var target: String
    /// The body; empty until it has been received.
    package var body: [UInt8] = []
    /// Whether the call only reads.
    package var isRead = false

    package init(keyID: String, date: String, signature: String, target: String) {
        self.keyID = keyID
        self.date = date
        self.signature = signature
        self.target = target
    }

    /// The part of the target that a signature covers.
    enum Coverage: Hashable {
        /// Path and query.
        case target
        /// The path only, so a proxy or an attacker on the network may have changed the query.
        case path
    }

    /// The date of the request; nil unless the header is a UTC time in whole seconds.
    var time: Timestamp? {
        guard date.utf8.count == 20, date.hasSuffix("Z"),
            let time = try? Date(date, strategy: .iso8601)
        else { return nil }
        return Timestamp(time, rounded: .towardZero)
    }

    /// The part of the target that the key signed; nil if the signature is not valid.
    ///
    /// Clients are known to sign different texts: the target with or without its query and, for an empty
    /// body, the hash of the empty string or nothing. All of these are accepted.
    func coverage(by key: ServerKey) -> Coverage? {
        guard let data = Data(base64Encoded: signature), data.base64EncodedString() == signature,
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: data),
            signature.derRepresentation == data,
            let key = try? P256.Signing.PublicKey(x963Representation: key.publicKey)
        else { return nil }
        return texts.first { key.isValidSignature(signature, for: Array($0.text.utf8)) }?.coverage
    }

    /// Identifies the request among all that the key signed: the first 8 bytes of the signature's `r`.
    var mark: UInt64? {
        guard let data = Data(base64Encoded: signature),
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: data)
        else { return nil }
        return signature.rawRepresentation.prefix(8).bigEndianNumber
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
