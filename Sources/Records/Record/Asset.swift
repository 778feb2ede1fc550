import Foundation

/// What a record knows of a file: never its bytes.
public struct Asset: Hashable, Sendable {
    /// Names the content: equal bytes have equal checksums. Opaque base64, made by the server.
    public var fileChecksum: String
    /// In bytes.
    public var size: Int64
    /// Proof of an upload, present in writes only.
    public var receipt: String?
    /// Where the bytes can be read, present in answers only.
    public var downloadURL: String?
    /// Carried along for clients that send it.
    public var wrappingKey: String?
    /// Carried along for clients that send it.
    public var referenceChecksum: String?

    /// The description of a file whose content has that checksum and that many bytes.
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
