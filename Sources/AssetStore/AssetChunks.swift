// Owns the reading of a file piece by piece.

import Crypto
package import NIOCore
import Records
import _NIOFileSystem

/// The bytes of a file in order, one chunk in memory at a time.
package struct AssetChunks: AsyncSequence, Sendable {
    package typealias Element = ByteBuffer

    static let chunkLength: Int64 = 128 * 1024

    /// What the bytes must be, when all of them are read.
    let content: AssetChecksum?
    let range: Range<Int64>
    let reader: AssetReader

    package func makeAsyncIterator() -> Iterator {
        Iterator(content: content, range: range, reader: reader)
    }

    /// Hashes what it hands out, if there is something to compare the hash with.
    package struct Iterator: AsyncIteratorProtocol {
        private let content: AssetChecksum?
        private var range: Range<Int64>
        private let reader: AssetReader
        private var hash = SHA256()

        init(content: AssetChecksum?, range: Range<Int64>, reader: AssetReader) {
            self.content = content
            self.range = range
            self.reader = reader
        }

        package mutating func next() async throws -> ByteBuffer? {
            guard !range.isEmpty else { return nil }
            let length = Swift.min(chunkLength, Int64(range.count))
            let chunk = try await reader.read(length, at: range.lowerBound)
            guard chunk.readableBytes == Int(length) else { throw RecordError.damaged(content?.text) }
            range = (range.lowerBound + length)..<range.upperBound
            if let content { try check(chunk, against: content) }
            return chunk
        }

        private mutating func check(_ chunk: ByteBuffer, against content: AssetChecksum) throws {
            chunk.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
            guard range.isEmpty, AssetChecksum(hash.finalize()) != content else { return }
            throw RecordError.damaged(content.text)
        }
    }
}
