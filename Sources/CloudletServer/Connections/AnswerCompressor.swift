import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Compresses answers with the library's compressor, which expects exactly one answer to each request, and
/// gathers what is written until it is flushed.
///
/// Most answers pass it by: those to clients that ask for no compression, those that are not worth it, and
/// those to which there was no request at all. Such are the word that a client may go on with a long body,
/// and the refusal of what is not HTTP; over those the library would end the process.
final class AnswerCompressor: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let base: HTTPResponseCompressor
    private let isWorthIt: @Sendable (HTTPHeaders) -> Bool
    /// For each request whose answer has not begun: whether it says how the answer may be compressed.
    private var unanswered = CircularBuffer<Bool>(initialCapacity: 4)
    /// Whether the answer that is being written goes through the library.
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
            // Even if it is not worth it: the library waits for the answer to each request that it has seen.
            base.write(context: context, data: data, promise: promise)
            isCompressing = isWorthIt(head.headers)
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
