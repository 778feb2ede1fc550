import Crypto
package import NIOCore
import Records

/// The bytes of a file as a sequence of chunks, with one chunk in memory at a time.
package struct AssetChunks: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    let range: Range<Int64>
    /// The size of a chunk in bytes.
    let length: Int64
    let reader: any AssetReader
    /// The check at the end of the file; nil if the content is known to be intact, or if the range is not the
    /// whole file.
    let check: ContentCheck?

    package func makeAsyncIterator() -> Iterator {
        Iterator(range: range, length: length, reader: reader, check: check)
    }

    /// Reads chunk by chunk, and hashes the chunks if there is a check.
    package struct Iterator: AsyncIteratorProtocol {
        private var range: Range<Int64>
        private let length: Int64
        private let reader: any AssetReader
        private let check: ContentCheck?
        private var hash = SHA256()

        init(range: Range<Int64>, length: Int64, reader: any AssetReader, check: ContentCheck?) {
            self.range = range
            self.length = length
            self.reader = reader
            self.check = check
        }

        package mutating func next() async throws -> ByteBuffer? {
            guard !range.isEmpty else { return nil }
            let length = Swift.min(length, Int64(range.count))
            let chunk = try await reader.read(length, at: range.lowerBound)
            guard chunk.readableBytes == Int(length) else { throw RecordError.damaged(check?.content.text) }
            range = (range.lowerBound + length)..<range.upperBound
            if let check {
                chunk.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
                if range.isEmpty { try check.finish(hash) }
            }
            return chunk
        }
    }
}
