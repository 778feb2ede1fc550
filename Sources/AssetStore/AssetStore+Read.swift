// Owns the way of bytes from a content file to a reader.

import Records
import _NIOFileSystem

extension AssetStore {
    /// Opens a file for reading. It can be read to its end even if it is collected meanwhile.
    ///
    /// - Parameter expectedSize: what the record says; a file of another size is reported before the first
    ///   byte.
    /// - Throws: `badRequest` for a checksum that is none, `notFound`, or `internalError` for a damaged file.
    package func open(_ fileChecksum: String, expectedSize: Int64? = nil) async throws -> AssetFile {
        guard let content = AssetChecksum(text: fileChecksum) else { throw RecordError.badChecksum }
        return try await translatingDiskErrors {
            let handle = try await FileSystem.shared.openFile(forReadingAt: layout.path(of: content))
            let reader = AssetReader(handle: handle)
            let size = try await handle.info().size
            if let expectedSize, expectedSize != size { throw RecordError.damaged(fileChecksum) }
            return AssetFile(content: content, size: size, reader: reader)
        }
    }

    /// Reads the whole file and throws `internalError` if it is not what its name says.
    package func verify(_ fileChecksum: String, expectedSize: Int64? = nil) async throws {
        for try await _ in try await open(fileChecksum, expectedSize: expectedSize).chunks() {}
    }
}
