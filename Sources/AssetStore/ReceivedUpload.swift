/// A complete upload: its ID, checksum and size.
package struct ReceivedUpload: Hashable, Sendable {
    package var uploadID: String
    /// The checksum of the content: base64 of 21 bytes.
    package var fileChecksum: String
    /// The size in bytes.
    package var size: Int64

    package init(uploadID: String, fileChecksum: String, size: Int64) {
        self.uploadID = uploadID
        self.fileChecksum = fileChecksum
        self.size = size
    }
}
