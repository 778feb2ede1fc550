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

/// Hummingbird's HTTP/1.1 channel, which also checks the transfer rate of clients.
struct WatchedChannel: ServerChildChannel {
    let base: HTTP1Channel
    let rules: ConnectionState.Rules
    let register: ConnectionRegister

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let watch = ConnectionWatch(rules, register, at: channel.eventLoop.now)
            try pipeline.addHandler(watch, position: .before(codec))
            // Best effort: without the option, the bytes that a client has not read are known less exactly.
            try? channel.syncOptions?.setOption(Self.unsentOption, value: Self.unsentBytes)
            return value
        }
    }

    /// The maximal number of unsent bytes in the socket's buffer. With a larger buffer, megabytes of an
    /// answer would count as taken by the client although they have not been sent.
    private static let unsentBytes = 131_072
    private static let unsentOption = ChannelOptions.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT))

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}

extension HTTPServerBuilder {
    /// The largest number of header fields in a request.
    private static var headFields: Int { 256 }

    /// HTTP/1.1 with a `ConnectionWatch`, which replaces the library's timeout; the library does not know how
    /// much a client has read.
    static func watched(
        _ rules: ConnectionState.Rules, _ register: ConnectionRegister
    ) -> HTTPServerBuilder {
        return HTTPServerBuilder { responder in
            let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
                maxHeaderFieldSize: rules.headBytes, maxHeaderListSize: rules.headBytes,
                maxHeaderFieldCount: Self.headFields)
            let base = HTTP1Channel(
                responder: responder, configuration: .init(httpDecoderConfiguration: decoder))
            return WatchedChannel(base: base, rules: rules, register: register)
        }
    }
}
