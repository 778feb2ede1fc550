import Foundation

/// The description of a file in a record's field; the file's bytes are stored elsewhere.
public struct Asset: Hashable, Sendable {
    /// Identifies the content: equal bytes have equal checksums. Opaque base64, made by the server.
    public var fileChecksum: String
    /// The file's size in bytes.
    public var size: Int64
    /// The receipt of the upload, present in writes only.
    public var receipt: String?
    /// The URL to download the bytes, present in answers only.
    public var downloadURL: String?
    /// Stored and returned unchanged for clients that send it.
    public var wrappingKey: String?
    /// Stored and returned unchanged for clients that send it.
    public var referenceChecksum: String?

    /// The description of a file with this checksum and size in bytes.
    public init(
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
    /// The first byte of a checksum. The hash follows it.
    package static let checksumVersion: UInt8 = 1
    /// The number of hash bytes in a checksum.
    package static let hashLength = 20

    /// The checksum of a content: base64 of 0x01 and the first 20 bytes of the content's SHA-256. CloudKit's
    /// checksums have the same form.
    package static func fileChecksum(ofSHA256 hash: some Sequence<UInt8>) -> String {
        Data([checksumVersion] + hash.prefix(hashLength)).base64EncodedString()
    }

    /// The checksum as a name that is safe in paths and URLs: `+` and `/` become `-` and `_`, and other
    /// characters except ASCII letters and digits are removed. `asset` if nothing remains.
    package static func fileName(ofChecksum checksum: String) -> String {
        let name = checksum.prefix(longestFileName).compactMap { letter -> Character? in
            switch letter {
            case "+", "-": "-"
            case "/", "_": "_"
            default: letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : nil
            }
        }
        return name.isEmpty ? "asset" : String(name)
    }

    private static let longestFileName = 200
}
