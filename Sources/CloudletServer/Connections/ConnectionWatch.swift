import CloudService
import NIOCore
import NIOHTTP1
import Records
import RecordsWire

#if Networking
import NIOSSL
#endif

/// Reports the events of a connection to its `ConnectionState` and acts on the decisions.
///
/// The handler is next to the HTTP encoder, where answers have the size with which they are sent: the server
/// has compressed their bodies before.
///
/// The pieces of a body that arrive in one read are passed on as one. Each piece costs the later handlers and
/// the request's task about the same, and a client may send a body in chunks of one byte.
final class ConnectionWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let register: ConnectionRegister
    private let headBytes: Int
    private var state: ConnectionState
    /// The client's address, while the connection is counted.
    private var network: ClientNetwork?
    /// Whether the register counts the request that is arriving.
    private var isCounted = false
    /// Whether the head of a request was refused, so that the rest of the input is discarded.
    private var isRefused = false
    /// The pieces of a body that arrived in the current read, until they are passed on.
    private var body: ByteBuffer?
    /// Bytes of all answers written so far.
    private var written = 0
    private var timer: (at: NIODeadline, task: Scheduled<Void>)?

    init(_ rules: ConnectionState.Rules, _ register: ConnectionRegister, at now: NIODeadline) {
        self.register = register
        headBytes = rules.headBytes
        state = ConnectionState(rules, at: now)
    }

    // MARK: The connection

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { begin(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        begin(context)
    }

    private func begin(_ context: ChannelHandlerContext) {
        if register.counts(context.channel.remoteAddress) {
            let network = ClientNetwork(context.channel.remoteAddress)
            guard register.open(network) else { return context.close(promise: nil) }
            self.network = network
        }
        look(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        passBody(context)
        end()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    private func end() {
        timer?.task.cancel()
        timer = nil
        if let network { register.close(network, isUnfinished: isCounted) }
        network = nil
        isCounted = false
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        passBody(context)
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { state.inputEnded() }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        passBody(context)
        // After an answer that came before the end of its request, later errors do not matter.
        if state.isDraining { return closeSoon(context) }
        if error as? HTTPParserError == .headerOverflow, !state.isAnswering { return refuseHead(context) }
        #if Networking
        // Without TLS's closing message, a client that disconnects causes an error; treat it like a
        // disconnect without TLS.
        let isHangUp = error is NIOSSLError || error is BoringSSLError
        context.fireErrorCaught(isHangUp ? ChannelError.inputClosed : error)
        #else
        context.fireErrorCaught(error)
        #endif
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if state.isDraining { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if isRefused { return }
            state.headArrived()
            if Self.isCostly(head) {
                isRefused = true
                // Answered with 400, as a head that is not HTTP.
                context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
        case .body(let bytes):
            state.bodyArrived(bytes.readableBytes)
            if !isRefused { collect(bytes) }
            return
        case .end:
            state.requestArrived()
            passBody(context)
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    /// Answers that the head of a request is too large, and then ends the connection.
    private func refuseHead(_ context: ChannelHandlerContext) {
        isRefused = true
        let error = RecordError(
            .limitExceeded,
            "the head of the request is larger than the maximum of \(headBytes) bytes (requestHeadBytes)",
            culprit: "head", nextStep: "send a shorter query, and fewer or shorter header fields and cookies")
        let body = error.encoded(in: AnswerContext(uuid: "", addsDetails: true))
        let headers: HTTPHeaders = [
            "content-type": "application/json", "content-length": "\(body.count)", "connection": "close",
        ]
        let head = HTTPResponseHead(
            version: .http1_1, status: .requestHeaderFieldsTooLarge, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        let isWritten = context.eventLoop.makePromise(of: Void.self)
        isWritten.futureResult.assumeIsolated().whenComplete { _ in self.drain(context) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: isWritten)
    }

    private func collect(_ bytes: ByteBuffer) {
        if body == nil {
            body = bytes
        } else {
            body?.writeImmutableBuffer(bytes)
        }
    }

    /// Passes the collected pieces of a body on.
    private func passBody(_ context: ChannelHandlerContext) {
        guard let bytes = body else { return }
        body = nil
        context.fireChannelRead(wrapInboundOut(.body(bytes)))
    }

    /// Whether the head of a request has a text with too many combining marks in a row. A comparison of such
    /// a text would take seconds on the event loop, and the code that answers compares header texts.
    private static func isCostly(_ head: HTTPRequestHead) -> Bool {
        func isCostly(_ text: String) -> Bool {
            // A mark has at least two bytes.
            text.utf8.count > 2 * CombiningMarks.maximumInARow && !text.utf8.allSatisfy { $0 < 0x80 }
                && !CombiningMarks.admits(text)
        }
        return isCostly(head.uri) || head.headers.contains { isCostly($0.value) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if state.isDraining { return context.read() }
        passBody(context)
        if let deadline = state.readCompleted(at: context.eventLoop.now) {
            guard isArrivalCounted() else { return closeSoon(context) }
            arm(context, by: deadline)
        } else if isCounted {
            isCounted = false
            if let network { register.end(network) }
        }
        context.fireChannelReadComplete()
    }

    /// Closes the connection after the event loop has finished its current work. A channel must not be closed
    /// while it reports that bytes, or the end of them, have arrived, because it continues with that work
    /// afterwards.
    private func closeSoon(_ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().execute { context.close(promise: nil) }
    }

    private func isArrivalCounted() -> Bool {
        if let network, !isCounted { isCounted = register.begin(network) }
        return isCounted || network == nil
    }

    func read(context: ChannelHandlerContext) {
        state.reads(at: context.eventLoop.now)
        context.read()
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if state.isDraining {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(let head):
            if head.status.code < 200 || !state.answerBegins(written: written) { break }
            var closing = head
            closing.headers.replaceOrAdd(name: "connection", value: "close")
            return context.write(wrapOutboundOut(.head(closing)), promise: promise)
        case .body(let bytes): written += bytes.readableBytes
        case .end:
            if !state.answerEnds(at: context.eventLoop.now) { break }
            let isWritten = promise ?? context.eventLoop.makePromise()
            isWritten.futureResult.assumeIsolated().whenComplete { _ in self.drain(context) }
            return context.write(data, promise: isWritten)
        }
        context.write(data, promise: promise)
    }

    /// Closes the output side of the connection, and continues to read until `transfer.initialTime` has
    /// passed. If the rest of the request arrived at a closed socket, the system would reset the connection,
    /// and the answer could be lost.
    private func drain(_ context: ChannelHandlerContext) {
        guard context.channel.isActive, !state.isDraining else { return }
        body = nil
        arm(context, by: state.drain(at: context.eventLoop.now))
        context.close(mode: .output, promise: nil)
        context.read()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !context.channel.isWritable {
            let taken = written - waiting(context)
            if let deadline = state.blocked(taken: taken, at: context.eventLoop.now) {
                arm(context, by: deadline)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Bytes that were written and that the socket has not taken.
    private func waiting(_ context: ChannelHandlerContext) -> Int {
        (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    // MARK: Timer

    private func look(_ context: ChannelHandlerContext) {
        let waiting = waiting(context)
        switch state.check(at: context.eventLoop.now, taken: written - waiting, waiting: waiting) {
        case .close: context.close(promise: nil)
        case .again(let deadline): arm(context, by: deadline)
        }
    }

    private func arm(_ context: ChannelHandlerContext, by deadline: NIODeadline) {
        if let timer, timer.at <= deadline { return }
        timer?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.timer = nil
            self.look(context)
        }
        timer = (deadline, task)
    }
}
