import Records

/// An open file with its size. It closes when the last reference to it is released.
package struct AssetFile: Sendable {
    /// The size of the whole file in bytes.
    package let size: Int64
    let reader: any AssetReader
    let check: ContentCheck
    /// Whether the content was hashed earlier and the file has not been modified since.
    let isKnown: Bool

    /// The default size of a chunk in bytes.
    package static let chunkBytes: Int64 = 512 * 1024

    /// The bytes of a range, or of the whole file, in chunks of `length` bytes. The last chunk may be
    /// shorter.
    ///
    /// A read of the whole file is verified, unless the file has not been modified since the last
    /// verification. If the content does not match its checksum, the sequence throws `internalError` before
    /// the last chunk, so that no reader receives all bytes of a damaged file.
    ///
    /// - Throws: `badRequest` if the range exceeds the file.
    package func chunks(
        in range: Range<Int64>? = nil, of length: Int64 = chunkBytes
    ) throws -> AssetChunks {
        let range = range ?? 0..<size
        guard range.lowerBound >= 0, range.upperBound <= size else { throw RecordError.badRange }
        let mustCheck = range == 0..<size && !isKnown
        return AssetChunks(
            range: range, length: length, reader: reader, check: mustCheck ? check : nil)
    }

    /// Like `chunks(in:of:)`, but verifies the whole file first, so that the server can still answer with an
    /// error if it is damaged. A file that has not been modified since the last verification is not read
    /// again.
    ///
    /// - Throws: `badRequest` if the range exceeds the file, and `internalError` for a damaged file.
    package func verifiedChunks(
        in range: Range<Int64>, of length: Int64 = chunkBytes
    ) async throws -> AssetChunks {
        let chunks = try chunks(in: range, of: length)
        if isKnown { return chunks }
        for try await _ in try self.chunks(of: length) {}
        return AssetChunks(range: range, length: length, reader: reader, check: nil)
    }
}
