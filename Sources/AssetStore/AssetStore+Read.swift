import Records
import Synchronization

extension AssetStore {
    /// Opens a file. It can be read to its end even if its content is collected meanwhile, except by another
    /// process; then reading fails.
    ///
    /// - Parameter expectedSize: The size in the record. A file of another size fails before the first byte
    ///   is read.
    /// - Throws: `badRequest` for a malformed checksum, `notFound`, or `internalError` for a damaged file.
    package func open(_ fileChecksum: String, expectedSize: Int64? = nil) async throws -> AssetFile {
        guard let content = AssetChecksum(text: fileChecksum) else { throw RecordError.badChecksum }
        let stored = try await opened(content)
        let seen = stored.attributes
        if let expectedSize, expectedSize != seen.size { throw RecordError.damaged(fileChecksum) }
        let isKnown = known.withLock { $0.contains(content, seen) }
        let check = ContentCheck(content: content) { [self] in known.withLock { $0.record(content, seen) } }
        return AssetFile(size: seen.size, reader: stored.reader, check: check, isKnown: isKnown)
    }

    /// Opens content. If the storage cannot keep an open file, the content is pinned until it is closed.
    private func opened(_ content: AssetChecksum) async throws -> StoredAsset {
        if storage.keepsOpenFiles { return try await storage.open(content) }
        claims.withLock { $0.pin(content) }
        do {
            await waitForDeletion(of: content)
            let stored = try await storage.open(content)
            let reader = WatchedReader(stored.reader) { [self] in claims.withLock { $0.unpin(content) } }
            return StoredAsset(reader: reader, attributes: stored.attributes)
        } catch {
            claims.withLock { $0.unpin(content) }
            throw error
        }
    }

    /// Reads the whole file, even if it counts as intact, and throws `internalError` if the content does not
    /// match the checksum.
    package func verify(_ fileChecksum: String, expectedSize: Int64? = nil) async throws {
        let file = try await open(fileChecksum, expectedSize: expectedSize)
        let chunks = AssetChunks(
            range: 0..<file.size, length: AssetFile.chunkBytes, reader: file.reader, check: file.check)
        for try await _ in chunks {}
    }
}
