import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// HTTP/1.1 as Hummingbird speaks it, with a watch over the pace of clients, and with JSON compressed for
/// those that accept gzip. Files are not: most are compressed already, and their ranges are ranges of the
/// plain bytes.
struct CompressingChannel: ServerChildChannel {
    let base: HTTP1Channel
    let rules: ConnectionState.Rules
    let register: ConnectionRegister

    /// Bytes below which an answer is quicker plain.
    static let threshold = 1024

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let compressor = AnswerCompressor(when: Self.isWorthIt)
            try pipeline.addHandler(compressor, position: .before(codec))
            let watch = ConnectionWatch(rules, register, at: channel.eventLoop.now)
            try pipeline.addHandler(watch, position: .before(compressor))
            // Best effort: without it, what a client has not read is known less exactly.
            try? channel.syncOptions?.setOption(Self.unsentOption, value: Self.unsentBytes)
            return value
        }
    }

    /// The most bytes that wait in the system to be sent, those under way not counted. With more, megabytes
    /// of an answer would count as taken that no client has read.
    private static let unsentBytes = 131_072
    private static let unsentOption = ChannelOptions.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT))

    /// Streams of pushes must never be: they are written behind the compressor.
    private static func isWorthIt(_ headers: HTTPHeaders) -> Bool {
        guard let type = headers.first(name: "content-type"), type.hasPrefix("application/json") else {
            return false
        }
        return headers.first(name: "content-length").flatMap { Int($0) } ?? .max >= threshold
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// HTTP/1.1 with compressed answers, and with a watch in place of the timeout of the library, which does
    /// not know what a client has read.
    static func compressing(
        _ rules: ConnectionState.Rules, _ register: ConnectionRegister
    ) -> HTTPServerBuilder {
        HTTPServerBuilder { responder in
            CompressingChannel(base: HTTP1Channel(responder: responder), rules: rules, register: register)
        }
    }
}
