import Records
import Synchronization
import _NIOFileSystem

extension AssetStore {
    /// Opens a file. It can be read to its end even if its content is collected meanwhile.
    ///
    /// - Parameter expectedSize: The size in the record. A file of another size fails before the first byte
    ///   is read.
    /// - Throws: `badRequest` for a malformed checksum, `notFound`, or `internalError` for a damaged file.
    package func open(_ fileChecksum: String, expectedSize: Int64? = nil) async throws -> AssetFile {
        guard let content = AssetChecksum(text: fileChecksum) else { throw RecordError.badChecksum }
        return try await translatingDiskErrors {
            let handle = try await FileSystem.shared.openFile(
                forReadingAt: layout.path(of: content), options: .noFollow)
            let reader = AssetReader(handle: handle)
            let seen = try await handle.withUnsafeDescriptor { try Disk.attributes(of: $0) }
            let size = seen.identity.size
            if let expectedSize, expectedSize != size { throw RecordError.damaged(fileChecksum) }
            let isKnown = known.withLock { $0.contains(content, seen) }
            let check = ContentCheck(content: content) { [self] in known.withLock { $0.record(content, seen) }
            }
            return AssetFile(size: size, reader: reader, check: check, isKnown: isKnown)
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
