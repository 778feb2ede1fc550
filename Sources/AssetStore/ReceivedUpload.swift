/// What an upload left behind: the name it has until a record owns it, its content, its size.
package struct ReceivedUpload: Hashable, Sendable {
    package var uploadID: String
    /// Base64 of 21 bytes, made by the store.
    package var fileChecksum: String
    /// In bytes.
    package var size: Int64

    package init(uploadID: String, fileChecksum: String, size: Int64) {
        self.uploadID = uploadID
        self.fileChecksum = fileChecksum
        self.size = size
    }
}
