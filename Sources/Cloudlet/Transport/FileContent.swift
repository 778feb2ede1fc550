import Crypto
import Foundation
internal import Records

/// Computes the checksum and size of a file in constant memory.
enum FileContent {
    /// Returns the file's size in bytes and the checksum that a Cloudlet server computes for these bytes.
    /// Throws when the file cannot be read.
    static func describe(path: String) throws -> Asset {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        var hash = SHA256()
        var size: Int64 = 0
        while let piece = try handle.read(upToCount: FileChunks.chunkSize), !piece.isEmpty {
            hash.update(data: piece)
            size += Int64(piece.count)
            try Task.checkCancellation()
        }
        return Asset(fileChecksum: Asset.fileChecksum(ofSHA256: hash.finalize()), size: size)
    }
}
