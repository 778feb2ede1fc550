import CloudService
import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("TLS clients that disconnect", .timeLimit(.minutes(30)))
struct HangUpTests {
    @Test("A disconnect during a body, without TLS's closing message, is not logged as an error")
    func middleOfBody() async throws {
        let notebook = LogRecorder()
        try await withCertificates { certificates in
            var configuration = ServerConfiguration.ephemeral
            configuration.port = 0
            configuration.certificate = certificates.files()
            configuration.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
            let server = try await CloudletServer.start(configuration)
            let target = ServerWorld.target("public/records/lookup")
            let head = "POST \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000\r\n\r\n{"
            for _ in 0..<3 {
                let link = try await Self.link(to: try #require(server.url?.port))
                try await link.channel.writeAndFlush(ByteBuffer(string: head))
                let receiving = server.composition.service.traffic.receiving
                try await until { receiving.bytes > 0 }
                try await link.channel.eventLoop.submit { link.encryption.value.close(promise: nil) }.get()
                try await until { receiving.bytes == 0 }
            }
            // Returns after the requests in progress have ended.
            await server.stop()
        }
        #expect(notebook.lines.withLock(\.self) == [])
    }

    /// A connection with the context of its TLS handler. Closing that context bypasses the handler, so that
    /// it sends no closing message.
    private struct Link: Sendable {
        var channel: any Channel
        var encryption: NIOLoopBound<ChannelHandlerContext>
    }

    private static func link(to port: Int) async throws -> Link {
        var encryption = TLSConfiguration.makeClientConfiguration()
        encryption.certificateVerification = .none
        let context = try NIOSSLContext(configuration: encryption)
        return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(try NIOSSLClientHandler(context: context, serverHostname: nil))
                    let place = try pipeline.context(handlerType: NIOSSLClientHandler.self)
                    return Link(
                        channel: channel, encryption: NIOLoopBound(place, eventLoop: channel.eventLoop))
                }
            }
    }
}
