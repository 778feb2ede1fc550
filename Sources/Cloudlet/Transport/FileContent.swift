import Crypto
import Foundation
internal import Records

/// Reads files to name their contents, in constant memory.
enum FileContent {
    /// The checksum that our server would give the bytes, and their number. Throws when they cannot be read.
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
