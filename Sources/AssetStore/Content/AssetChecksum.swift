import Crypto
import Foundation
import Records

/// The first 20 bytes of the content's SHA-256, written as `Asset.fileChecksum(ofSHA256:)` says.
///
/// A value of this type is known to be well formed, so a path can be made of it: text from outside never
/// becomes one.
struct AssetChecksum: Hashable, Sendable {
    private static let hashLength = Asset.hashLength

    /// Exactly `hashLength` bytes.
    private let hash: [UInt8]

    init(_ digest: SHA256.Digest) {
        hash = Array(digest.prefix(Self.hashLength))
    }

    /// Nil unless this is how `text` would be written for some content.
    init?(text: String) {
        guard let data = Data(base64Encoded: text),
            data.count == Self.hashLength + 1,
            data.first == Asset.checksumVersion,
            data.base64EncodedString() == text
        else { return nil }
        hash = Array(data.dropFirst())
    }

    /// Nil unless `hexadecimal` is what the property of that name gives for some content.
    init?(hexadecimal: Substring) {
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

    /// What clients see.
    var text: String {
        Asset.fileChecksum(ofSHA256: hash)
    }

    /// What file names are made of: lower-case, 40 digits.
    var hexadecimal: String { hash.hexadecimal }
}
