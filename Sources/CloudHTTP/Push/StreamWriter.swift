import CloudService
import NIOCore
import NIOHTTP1

/// A push in the forms in which it is sent, which share their bytes.
final class PushChunk: Sendable {
    /// JSON, as the courier's poll is answered.
    let message: ByteBuffer
    /// The same as a line of a stream.
    let line: ByteBuffer
    /// The same as a chunk of an answer (RFC 9112, section 7.1).
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

/// Writes pushes as chunks of an answer that has begun.
///
/// A chunk goes in where the encoder of HTTP puts its own, so that it costs one write. It keeps its place
/// among what the task of the connection writes: that is never under way while the task waits. The answer
/// must be one of no stated length, which the encoder sends in chunks, and nothing may transform it on its
/// way: the server compresses JSON only, which a stream of lines is not.
struct StreamWriter: PushWriter {
    private let channel: any Channel
    private let encoder: NIOLoopBound<ChannelHandlerContext>
    private let chunk: @Sendable (QueuedPush) -> PushChunk

    /// nil unless it is called on the loop of a connection that speaks HTTP/1.1.
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
        // A connection that does not keep up is left to its task, which waits until it does.
        guard channel.isActive, channel.isWritable else { return false }
        encoder.value.writeAndFlush(NIOAny(IOData.byteBuffer(chunk(push).framed)), promise: nil)
        return true
    }
}
