// Owns the compression of answers on their way to a socket.

import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// HTTP/1.1 as Hummingbird speaks it, with JSON compressed for clients that accept gzip. Files are not: most
/// are compressed already, and their ranges are ranges of the plain bytes.
struct CompressingChannel: ServerChildChannel {
    let base: HTTP1Channel

    /// Bytes below which an answer is quicker plain.
    static let threshold = 1024

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            try pipeline.addHandler(AnswerCompressor(when: Self.isWorthIt), position: .before(codec))
            return value
        }
    }

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
    /// HTTP/1.1 with compressed answers.
    static var compressing: HTTPServerBuilder {
        HTTPServerBuilder { responder in
            let configuration = HTTP1Channel.Configuration(idleTimeout: patience)
            return CompressingChannel(base: HTTP1Channel(responder: responder, configuration: configuration))
        }
    }

    /// How long a connection may stay without a request, and a request without its next bytes: longer than
    /// clients keep connections that they do not use.
    private static var patience: TimeAmount { .seconds(75) }
}
