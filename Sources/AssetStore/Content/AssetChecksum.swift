import Crypto
import Foundation
import Records

/// The checksum of a content: the first 20 bytes of its SHA-256, in the form of
/// `Asset.fileChecksum(ofSHA256:)`.
///
/// A value of this type is always well-formed, so a path made from it stays within the store's folder.
package struct AssetChecksum: Hashable, Sendable {
    private static let hashLength = Asset.hashLength

    /// Exactly `hashLength` bytes.
    private let hash: [UInt8]

    init(_ digest: SHA256.Digest) {
        hash = Array(digest.prefix(Self.hashLength))
    }

    /// Parses the base64 form; nil unless `text` is its exact spelling.
    package init?(text: String) {
        guard let data = Data(base64Encoded: text),
            data.count == Self.hashLength + 1,
            data.first == Asset.checksumVersion,
            data.base64EncodedString() == text
        else { return nil }
        hash = Array(data.dropFirst())
    }

    /// Parses the form of `hexadecimal`; nil for any other text.
    package init?(hexadecimal: Substring) {
        guard hexadecimal.utf8.count == Self.hashLength * 2 else { return nil }
        var bytes: [UInt8] = []
        var rest = hexadecimal
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        hash = bytes
        guard self.hexadecimal == hexadecimal else { return nil }
    }

    /// The base64 form that clients see.
    package var text: String {
        Asset.fileChecksum(ofSHA256: hash)
    }

    /// The form in file names: 40 lower-case digits.
    package var hexadecimal: String { hash.hexadecimal }
}
