import CZlib
import NIOCore
import Records

/// Compresses a stream of bytes with gzip, at zlib's fastest level: the others take up to twenty times as
/// long for a tenth fewer bytes.
final class GzipEncoder {
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var output = ByteBuffer()

    /// The free bytes for each call of zlib.
    private static let step = 32 * 1024

    /// Throws `internalError` if there is no memory.
    init() throws(RecordError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 15 is the size of the window, as its logarithm; 16 more adds the head and the checksum of gzip. 8
        // is the library's default for its memory.
        let result = deflateInit2_(
            stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        if result != Z_OK { throw Self.failure }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Compresses more bytes into `output`.
    func add(_ bytes: ByteBuffer) throws(RecordError) { try run(bytes, Z_NO_FLUSH) }

    /// Compresses what is left, and ends the stream. Call nothing else afterwards.
    func finish() throws(RecordError) { try run(ByteBuffer(), Z_FINISH) }

    private func run(_ bytes: ByteBuffer, _ flush: Int32) throws(RecordError) {
        let isValid = bytes.withUnsafeReadableBytes { input in
            // zlib does not change its input, though its declaration says so.
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            defer { stream.pointee.next_in = nil }
            var result = Z_OK
            repeat {
                output.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.step) { free in
                    stream.pointee.next_out = free.bindMemory(to: UInt8.self).baseAddress
                    stream.pointee.avail_out = UInt32(free.count)
                    result = deflate(stream, flush)
                    return free.count - Int(stream.pointee.avail_out)
                }
                if result != Z_OK, result != Z_STREAM_END, result != Z_BUF_ERROR { return false }
            } while stream.pointee.avail_out == 0
            return flush == Z_FINISH ? result == Z_STREAM_END : stream.pointee.avail_in == 0
        }
        if !isValid { throw Self.failure }
    }

    private static let failure = RecordError(.internalError, "the answer cannot be compressed")

    /// Whether a client accepts gzip, according to the values of its header `Accept-Encoding`.
    ///
    /// A header of more than 256 bytes is not read: no client sends such a long one for a purpose.
    static func isAccepted(by values: [String]) -> Bool {
        guard values.reduce(0, { $0 + $1.utf8.count }) <= 256 else { return false }
        let codings = values.flatMap { $0.split(separator: ",") }.map { coding in
            let parts = coding.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) }
            return (name: parts.first ?? "", isAccepted: quality != 0)
        }
        let found = codings.first { $0.name == "gzip" } ?? codings.first { $0.name == "*" }
        return found?.isAccepted ?? false
    }
}
