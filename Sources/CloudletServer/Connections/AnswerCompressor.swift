import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Decides which answers go through the library's compressor. That compressor expects exactly one answer to
/// each request, and holds writes back until they are flushed. The answers that go through it must be flushed
/// as a whole, because it corrects the length in the head only then.
///
/// Most answers bypass it: those to clients that accept no compression, those that are not worth compressing
/// (except for their heads), and those without a request: `100 Continue` and the error for input that is not
/// HTTP, on which the library's compressor would crash.
final class AnswerCompressor: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let base: HTTPResponseCompressor
    private let isWorthIt: @Sendable (HTTPHeaders) -> Bool
    /// For each request whose answer has not begun: whether the request accepts a compression.
    private var unanswered = CircularBuffer<Bool>(initialCapacity: 4)
    /// Whether the answer that is being written goes through the compressor.
    private var isCompressing = false

    init(when isWorthIt: @escaping @Sendable (HTTPHeaders) -> Bool) {
        self.isWorthIt = isWorthIt
        base = HTTPResponseCompressor { head, isPossible in
            isPossible && isWorthIt(head.headers) ? .compressIfPossible : .doNotCompress
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        base.handlerAdded(context: context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        base.handlerRemoved(context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        unanswered.append(head.headers.contains(name: "accept-encoding"))
        if unanswered.last == true {
            base.channelRead(context: context, data: data)
        } else {
            context.fireChannelRead(data)
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(let head) = unwrapOutboundIn(data) else {
            return forward(context, data, promise)
        }
        if (100..<200).contains(head.status.code), head.status != .switchingProtocols {
            return context.write(data, promise: promise)
        }
        if unanswered.popFirst() == true {
            isCompressing = isWorthIt(head.headers)
            // Passed to the compressor even if it is not to be compressed, because the compressor expects an
            // answer to each request that it has seen.
            base.write(context: context, data: data, promise: promise)
        } else {
            isCompressing = false
            context.write(data, promise: promise)
        }
    }

    private func forward(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?)
    {
        if isCompressing {
            base.write(context: context, data: data, promise: promise)
        } else {
            context.write(data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        if isCompressing {
            base.flush(context: context)
        } else {
            context.flush()
        }
    }
}
