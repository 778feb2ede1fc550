// Owns the description of a file that lies in bulk storage.

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
