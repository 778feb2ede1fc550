// Owns the check of requests that an app's own server signed (web services sheet 2.4).

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

    package init(keyID: String, date: String, signature: String, target: String) {
        self.keyID = keyID
        self.date = date
        self.signature = signature
        self.target = target
    }

    /// When the request says it was signed; nil for anything but a UTC time in whole seconds.
    var time: Timestamp? {
        guard date.utf8.count == 20, date.hasSuffix("Z"),
            let time = try? Date(date, strategy: .iso8601)
        else { return nil }
        return Timestamp(milliseconds: Int64(time.timeIntervalSince1970 * 1000))
    }

    /// Whether the key made it, over any of the texts that clients are known to sign: with the query or
    /// without it, and of an empty body the hash or nothing.
    func isMade(by key: ServerKey) -> Bool {
        guard let data = Data(base64Encoded: signature), data.base64EncodedString() == signature,
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: data),
            signature.derRepresentation == data,
            let key = try? P256.Signing.PublicKey(x963Representation: key.publicKey)
        else { return false }
        return texts.contains { key.isValidSignature(signature, for: Array($0.utf8)) }
    }

    private var texts: [String] {
        let hash = Data(SHA256.hash(data: body)).base64EncodedString()
        let path = target.prefix { $0 != "?" }
        let places = path.count == target.count ? [target] : [target, String(path)]
        let hashes = body.isEmpty ? [hash, ""] : [hash]
        return places.flatMap { place in hashes.map { "\(date):\($0):\(place)" } }
    }
}
