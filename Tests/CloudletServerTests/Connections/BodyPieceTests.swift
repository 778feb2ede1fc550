import CloudService
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import CloudletServer

@Suite("Collecting the pieces of a request body")
struct BodyPieceTests {
    /// A connection whose client sends small chunks in a few large writes.
    private final class World {
        let channel = EmbeddedChannel()

        init() throws {
            let register = ConnectionRegister(
                ConnectionCounts(most: 10),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let rules = ConnectionState.Rules(
                transfer: TransferMeter.Rules(rate: 1000, patienceSeconds: 20))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(ConnectionWatch(rules, register, at: channel.embeddedEventLoop.now))
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
        }

        /// Receives bytes in reads of 64 KB. Returns the number of reads.
        func receive(_ text: String) throws -> Int {
            var bytes = ByteBuffer(string: text)
            var reads = 0
            while let read = bytes.readSlice(length: min(65_536, bytes.readableBytes)), read.readableBytes > 0
            {
                try channel.writeInbound(read)
                reads += 1
            }
            return reads
        }

        /// The parts that the request's handler receives, in short.
        func parts() throws -> [String] {
            var parts: [String] = []
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head(let head): parts.append(head.uri)
                case .body(let bytes): parts.append(String(buffer: bytes))
                case .end: parts.append("end")
                }
            }
            return parts
        }

        func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    private static func head(_ path: String) -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    }

    private static func chunks(_ text: String) -> String { text.map { "1\r\n\($0)\r\n" }.joined() }

    @Test("A body in chunks of one byte becomes one piece for each read")
    func bytewise() throws {
        let world = try World()
        let body = String(repeating: "0123456789", count: 20_000)
        let reads = try world.receive(Self.head("/") + Self.chunks(body) + "0\r\n\r\n")
        let parts = try world.parts()
        #expect(parts.count <= reads + 2)
        #expect(parts.first == "/")
        #expect(parts.dropFirst().dropLast().joined() == body)
        #expect(parts.last == "end")
        world.end()
    }

    @Test("The bodies of two requests in one read stay separate")
    func pipelined() throws {
        let world = try World()
        let end = "0\r\n\r\n"
        _ = try world.receive(
            Self.head("/a") + Self.chunks("one") + end + Self.head("/b") + Self.chunks("two") + end)
        #expect(try world.parts() == ["/a", "one", "end", "/b", "two", "end"])
        world.end()
    }

    @Test("The reader of an incomplete body gets the received bytes before the error")
    func broken() throws {
        let world = try World()
        #expect(throws: HTTPParserError.self) {
            _ = try world.receive(Self.head("/") + Self.chunks("abc") + "no chunk\r\n")
        }
        #expect(try world.parts() == ["/", "abc"])
        world.end()
        let cut = try World()
        _ = try cut.receive(Self.head("/") + Self.chunks("abc"))
        #expect(try cut.parts() == ["/", "abc"])
        cut.end()
    }
}
