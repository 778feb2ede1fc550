// Owns the description of a file that lies in bulk storage, and the name that bytes give themselves.

import Foundation

/// What a record knows of a file: never its bytes (web services sheet 3.5).
package struct Asset: Hashable, Sendable {
    /// Names the content: equal bytes have equal checksums. Opaque base64, made by the server.
    package var fileChecksum: String
    /// In bytes.
    package var size: Int64
    /// Proof of an upload, present in writes only.
    package var receipt: String?
    /// Where the bytes can be read, present in answers only.
    package var downloadURL: String?
    /// Carried along for clients that send them.
    package var wrappingKey: String?
    package var referenceChecksum: String?

    package init(
        fileChecksum: String,
        size: Int64,
        receipt: String? = nil,
        downloadURL: String? = nil,
        wrappingKey: String? = nil,
        referenceChecksum: String? = nil
    ) {
        self.fileChecksum = fileChecksum
        self.size = size
        self.receipt = receipt
        self.downloadURL = downloadURL
        self.wrappingKey = wrappingKey
        self.referenceChecksum = referenceChecksum
    }
}

extension Asset {
    /// The first byte of a checksum, before those of the hash.
    package static let checksumVersion: UInt8 = 1
    /// Bytes of the hash in a checksum.
    package static let hashLength = 20

    /// The checksum of a content as our server makes it: base64 of 0x01 and the first 20 bytes of the
    /// content's SHA-256, in the shape of the live service's.
    package static func fileChecksum(ofSHA256 hash: some Sequence<UInt8>) -> String {
        Data([checksumVersion] + hash.prefix(hashLength)).base64EncodedString()
    }
}
