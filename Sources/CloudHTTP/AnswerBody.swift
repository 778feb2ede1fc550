import NIOCore

/// The body of an answer as it was made.
///
/// What was made as an array stays one: a large answer is copied a piece at a time when it is sent, and not
/// as a whole on the thread that answers requests.
enum AnswerBody: Sendable {
    case bytes([UInt8])
    case buffer(ByteBuffer)

    var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .buffer(let buffer): buffer.readableBytes
        }
    }

    /// All bytes in one buffer, for short answers.
    var whole: ByteBuffer { piece(at: 0, upTo: count) }

    /// The bytes from a place on, no more than `length`; none at the end.
    func piece(at start: Int, upTo length: Int) -> ByteBuffer {
        let length = min(length, count - start)
        switch self {
        case .bytes(let bytes): return ByteBuffer(bytes: bytes[start..<(start + length)])
        case .buffer(let buffer):
            return buffer.getSlice(at: buffer.readerIndex + start, length: length) ?? ByteBuffer()
        }
    }
}
