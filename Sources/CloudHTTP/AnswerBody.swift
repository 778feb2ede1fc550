import NIOCore

/// The encoded body of an answer.
///
/// An encoded array is not converted to a buffer at once. A large answer is copied into buffers piece by
/// piece while it is sent, because copying it as a whole would block the thread that answers requests.
enum AnswerBody: Sendable {
    case bytes([UInt8])
    case buffer(ByteBuffer)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffer(let buffer): buffer.readableBytes
        }
    }

    var whole: ByteBuffer { piece(at: 0, upTo: count) }

    /// Returns the bytes from `start` on, at most `length`; an empty buffer at the end.
    func piece(at start: Int, upTo length: Int) -> ByteBuffer {
        let length = min(length, count - start)
        switch self {
        case .bytes(let bytes): return ByteBuffer(bytes: bytes[start..<(start + length)])
        case .buffer(let buffer):
            return buffer.getSlice(at: buffer.readerIndex + start, length: length) ?? ByteBuffer()
        }
    }
}
