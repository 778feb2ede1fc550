package import NIOCore
package import Records

/// A file that is open for reading.
package struct Download: Sendable {
    package typealias Chunks = any AsyncSequence<ByteBuffer, any Error> & Sendable

    /// The database of the record that the file belongs to.
    package let database: DatabaseKey
    /// The database in which the reader sees that record.
    package let kind: DatabaseKind
    /// Checksum that identifies the content.
    package let fileChecksum: String
    /// Size of the whole file in bytes.
    package let size: Int64
    /// The bytes of a range of the file, in order, in chunks of `chunkBytes` of which one is in memory at a
    /// time. Throws `badRequest` for a range that does not lie in the file, and `internalError` for a damaged
    /// file.
    package let chunks: @Sendable (_ range: Range<Int64>, _ chunkBytes: Int64) async throws -> Chunks
}

extension Download {
    /// All bytes of the file. Throws `limitExceeded` for a file with more than `limit` bytes.
    package func bytes(atMost limit: Int64) async throws -> [UInt8] {
        if size > limit {
            throw RecordError(
                .limitExceeded, "the file has \(size) bytes, more than the maximum of \(limit)",
                culprit: "file",
                nextStep: "download it")
        }
        return try await beginning(bytes: size)
    }

    /// The first bytes of the file, all of them if it has fewer.
    package func beginning(bytes count: Int64) async throws -> [UInt8] {
        let count = min(count, size)
        var bytes: [UInt8] = []
        for try await chunk in try await chunks(0..<count, max(1, count)) { bytes += chunk.readableBytesView }
        return bytes
    }
}
