import CloudService
import NIOCore
import NIOHTTP1

/// A push in the three encodings in which it is sent, which share their bytes.
final class PushChunk: Sendable {
    /// JSON, as the answer to a poll.
    let message: ByteBuffer
    /// The JSON as a line of a stream.
    let line: ByteBuffer
    /// The line as a chunk of a chunked answer (RFC 9112, section 7.1).
    let framed: ByteBuffer

    init(_ json: [UInt8]) {
        var bytes = ByteBufferAllocator().buffer(capacity: json.count + 16)
        bytes.writeString(String(json.count + 1, radix: 16))
        bytes.writeStaticString("\r\n")
        let start = bytes.writerIndex
        bytes.writeBytes(json)
        bytes.writeStaticString("\n\r\n")
        framed = bytes
        message = bytes.getSlice(at: start, length: json.count) ?? ByteBuffer()
        line = bytes.getSlice(at: start, length: json.count + 1) ?? ByteBuffer()
    }
}

/// Writes pushes directly to a connection, as chunks of an answer that has begun.
///
/// A chunk is inserted after the HTTP encoder, already encoded, so that it needs only one write. Its order
/// relative to the writes of the connection's task is safe, because the task writes nothing while it waits
/// for pushes. The answer must have no `Content-Length`, so that the encoder sends it in chunks.
struct StreamWriter: PushWriter {
    private let channel: any Channel
    private let encoder: NIOLoopBound<ChannelHandlerContext>
    private let chunk: @Sendable (QueuedPush) -> PushChunk

    /// Returns nil unless called on the event loop of an HTTP/1.1 connection.
    init?(_ channel: any Channel, _ chunk: @escaping @Sendable (QueuedPush) -> PushChunk) {
        guard channel.eventLoop.inEventLoop,
            let encoder = try? channel.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
        else { return nil }
        self.channel = channel
        self.encoder = NIOLoopBound(encoder, eventLoop: channel.eventLoop)
        self.chunk = chunk
    }

    var eventLoop: ObjectIdentifier { ObjectIdentifier(channel.eventLoop) }

    func execute(_ work: @escaping @Sendable () -> Void) {
        channel.eventLoop.execute(work)
    }

    func write(_ push: QueuedPush) -> Bool {
        // If the client reads too slowly, its task writes the push, and waits until the connection is
        // writable.
        guard channel.isActive, channel.isWritable else { return false }
        encoder.value.writeAndFlush(NIOAny(IOData.byteBuffer(chunk(push).framed)), promise: nil)
        return true
    }
}
