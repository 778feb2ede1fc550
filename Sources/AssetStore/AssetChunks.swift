import Crypto
package import NIOCore
import Records
import _NIOFileSystem

/// The bytes of a file in order, one chunk in memory at a time.
package struct AssetChunks: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    static let chunkLength: Int64 = 512 * 1024

    let range: Range<Int64>
    let reader: AssetReader
    /// Nil when the bytes need not be hashed, or are not all there are.
    let check: ContentCheck?

    package func makeAsyncIterator() -> Iterator {
        Iterator(range: range, reader: reader, check: check)
    }

    /// Hashes what it hands out, if there is something to compare the hash with.
    package struct Iterator: AsyncIteratorProtocol {
        private var range: Range<Int64>
        private let reader: AssetReader
        private let check: ContentCheck?
        private var hash = SHA256()

        init(range: Range<Int64>, reader: AssetReader, check: ContentCheck?) {
            self.range = range
            self.reader = reader
            self.check = check
        }

        package mutating func next() async throws -> ByteBuffer? {
            guard !range.isEmpty else { return nil }
            let length = Swift.min(chunkLength, Int64(range.count))
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
