package import Records
import Synchronization

extension AssetStore {
    /// Turns existing content into an upload without transferring bytes. The content cannot be collected
    /// until the upload is discarded.
    ///
    /// The caller must check whether the person may use the content.
    ///
    /// - Returns: nil if there is no such content, or if its size differs.
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

    /// The size of the content in bytes; nil if there is no such content.
    package func size(of fileChecksum: String) -> Int64? {
        AssetChecksum(text: fileChecksum).flatMap { Disk.fileSize(layout.path(of: $0)) }
    }
}
