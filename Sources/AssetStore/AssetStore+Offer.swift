package import Records
import Synchronization

extension AssetStore {
    /// Turns existing content into an upload without transferring bytes. The upload keeps the bytes until it
    /// is discarded.
    ///
    /// The caller must check whether the person may use the content. A file that is not known to be intact is
    /// read first.
    ///
    /// - Returns: nil if there is no such content, if its size differs, or if it is damaged. The client then
    ///   uploads the bytes, which replaces a damaged file.
    package func offer(_ fileChecksum: String, size: Int64, now: Timestamp) async throws -> ReceivedUpload? {
        guard let content = AssetChecksum(text: fileChecksum) else { return nil }
        let uploadID = try newUploadID()
        guard try await storage.size(of: content) == size, try await isIntact(fileChecksum, size: size),
            try await storage.offer(content, as: uploadID)
        else { return nil }
        uploads.withLock { $0.add(uploadID, content: content, at: now) }
        return ReceivedUpload(uploadID: uploadID, fileChecksum: fileChecksum, size: size)
    }

    /// Whether the content can be read and matches its checksum.
    private func isIntact(_ fileChecksum: String, size: Int64) async throws -> Bool {
        do {
            let file = try await open(fileChecksum, expectedSize: size)
            if file.isKnown { return true }
            for try await _ in try file.chunks() {}
            return true
        } catch let error as RecordError where error.code != .tryAgainLater {
            return false
        }
    }

    /// The sizes in bytes of the contents that exist.
    package func sizes(of fileChecksums: Set<String>) async throws -> [String: Int64] {
        if fileChecksums.isEmpty { return [:] }
        return try await storage.sizes(of: fileChecksums.compactMap(AssetChecksum.init(text:)))
    }
}
