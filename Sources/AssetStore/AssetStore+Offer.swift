package import Records
import Synchronization

extension AssetStore {
    /// Turns existing content into an upload without transferring bytes. The upload is a hard link, so it
    /// keeps the bytes even if the content is collected meanwhile.
    ///
    /// The caller must check whether the person may use the content. A file that is not known to be intact is
    /// read first.
    ///
    /// - Returns: nil if there is no such content, if its size differs, or if it is damaged. The client then
    ///   uploads the bytes, which replaces a damaged file.
    package func offer(_ fileChecksum: String, size: Int64, now: Timestamp) async throws -> ReceivedUpload? {
        guard let content = AssetChecksum(text: fileChecksum) else { return nil }
        let uploadID = makeUploadID()
        guard AssetLayout.isUploadID(uploadID) else { throw RecordError.badUploadID }
        let path = layout.path(of: content)
        guard Disk.fileSize(path) == size, try await isIntact(fileChecksum, size: size) else { return nil }
        return try translatingDiskErrors {
            try prepareFolders()
            guard try Disk.addNewName(layout.received(uploadID, content), to: path) else { return nil }
            uploads.withLock { $0.add(uploadID, content: content, at: now) }
            return ReceivedUpload(uploadID: uploadID, fileChecksum: fileChecksum, size: size)
        }
    }

    /// Whether the content can be read and matches its checksum.
    private func isIntact(_ fileChecksum: String, size: Int64) async throws -> Bool {
        do {
            let file = try await open(fileChecksum, expectedSize: size)
            if file.isKnown { return true }
            for try await _ in try file.chunks() {}
            return true
        } catch is RecordError {
            return false
        }
    }

    /// The size of the content in bytes; nil if there is no such content.
    package func size(of fileChecksum: String) -> Int64? {
        AssetChecksum(text: fileChecksum).flatMap { Disk.fileSize(layout.path(of: $0)) }
    }
}
