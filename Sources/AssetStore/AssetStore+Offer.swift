package import Records
import Synchronization

extension AssetStore {
    /// Gives content that is here a second name, as if it had just been uploaded: from then on it cannot be
    /// collected before the upload is forgotten.
    ///
    /// Whether the caller may have the content is decided elsewhere.
    ///
    /// - Returns: nil when there is no such content, or not of that size.
    package func offer(_ fileChecksum: String, size: Int64, now: Timestamp) throws -> ReceivedUpload? {
        guard let content = AssetChecksum(text: fileChecksum) else { return nil }
        let uploadID = makeUploadID()
        guard AssetLayout.isUploadID(uploadID) else { throw RecordError.badUploadID }
        return try translatingDiskErrors {
            let path = layout.path(of: content)
            guard Disk.fileSize(path) == size else { return nil }
            try prepareFolders()
            guard try Disk.addNewName(layout.received(uploadID, content), to: path) else { return nil }
            uploads.withLock { $0.add(uploadID, content: content, at: now) }
            return ReceivedUpload(uploadID: uploadID, fileChecksum: fileChecksum, size: size)
        }
    }

    /// The size of content in bytes; nil when there is no such content.
    package func size(of fileChecksum: String) -> Int64? {
        AssetChecksum(text: fileChecksum).flatMap { Disk.fileSize(layout.path(of: $0)) }
    }
}
