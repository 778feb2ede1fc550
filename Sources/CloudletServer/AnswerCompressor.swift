// Owns the compression of one connection's answers, those to which there was no request among them.

import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// Compresses answers with the library's compressor, which expects exactly one answer to each request.
///
/// There are others: a client is told to go on with a long body, and what is not HTTP at all is refused
/// before any request was understood. The library would end the process over those, so they pass it by.
final class AnswerCompressor: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let base: HTTPResponseCompressor
    /// Requests whose answers have not begun.
    private var unanswered = 0
    /// Whether the answer that is being written belongs to no request.
    private var isUnasked = false

    init(when isWorthIt: @escaping @Sendable (HTTPHeaders) -> Bool) {
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
        if case .head = unwrapInboundIn(data) { unanswered += 1 }
        base.channelRead(context: context, data: data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head)
        where (100..<200).contains(head.status.code) && head.status != .switchingProtocols:
            context.write(data, promise: promise)
        case .head:
            isUnasked = unanswered == 0
            if !isUnasked { unanswered -= 1 }
            forward(context, data, promise)
        case .body: forward(context, data, promise)
        case .end:
            forward(context, data, promise)
            isUnasked = false
        }
    }

    private func forward(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?)
    {
        if isUnasked {
            context.write(data, promise: promise)
        } else {
            base.write(context: context, data: data, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        base.flush(context: context)
    }
}
