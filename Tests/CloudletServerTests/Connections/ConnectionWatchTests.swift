import CloudService
import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import CloudletServer

@Suite("The transfer rate of clients")
struct ConnectionWatchTests {
    /// A connection without a socket. A transfer may be slower than 1000 bytes per second for 20 seconds.
    private final class World {
        let channel = EmbeddedChannel()
        let register: ConnectionRegister

        init(connections: Int = 10) throws {
            register = ConnectionRegister(
                ConnectionCounts(most: connections),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            let rules = ConnectionState.Rules(
                transfer: TransferMeter.Rules(rate: 1000, patienceSeconds: 20))
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false)
            try pipeline.addHandler(
                ConnectionWatch(rules, register, at: channel.embeddedEventLoop.now))
            channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
        }

        var isOpen: Bool { channel.isActive }

        /// Receives bytes, and signals that the server is ready for more.
        func receive(_ text: String, andReads: Bool = true) throws {
            defer { channel.embeddedEventLoop.run() }
            try channel.writeInbound(ByteBuffer(string: text))
            if andReads { channel.read() }
        }

        func head(length: Int) throws {
            try receive("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n")
        }

        func pass(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        func answer(_ status: HTTPResponseStatus, length: Int) {
            let headers: HTTPHeaders = ["content-length": String(length)]
            write(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers)))
        }

        func write(_ part: HTTPServerResponsePart) { channel.write(part, promise: nil) }

        /// Begins an answer that the client reads more slowly than the server writes it.
        func beginAnswer() throws {
            try receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            answer(.ok, length: 1_000_000)
            channel.flush()
            write(.body(.byteBuffer(ByteBuffer(repeating: 0, count: 20_000))))
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
        }

        /// The client reads all waiting bytes, and `count` further bytes wait.
        func reads(andThen count: Int) {
            channel.flush()
            if count > 0 { write(.body(.byteBuffer(ByteBuffer(repeating: 0, count: count)))) }
        }

        func end() { _ = try? channel.finish(acceptAlreadyClosed: true) }
    }

    @Test("A connection with a slow body is closed after exactly the allowed time")
    func slowBody() throws {
        let world = try World()
        try world.head(length: 1_000_000)
        for _ in 0..<19 {
            world.pass(1)
            try world.receive("x")
        }
        #expect(world.isOpen)
        world.pass(2)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("A body at the minimum rate is received completely, however long it takes")
    func honestBody() throws {
        let world = try World()
        try world.head(length: 600_000)
        for _ in 0..<600 {
            world.pass(1)
            try world.receive(String(repeating: "x", count: 1000))
        }
        #expect(world.isOpen)
        world.pass(74)
        #expect(world.isOpen)
        world.end()
    }

    @Test("A fast beginning extends the allowed time, up to a maximum")
    func fastBeginning() throws {
        let world = try World()
        try world.head(length: 100_000_000)
        try world.receive(String(repeating: "x", count: 1_000_000))
        world.pass(159)
        #expect(world.isOpen)
        world.pass(2)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("Time in which the server does not read is not counted")
    func busyServer() throws {
        let world = try World()
        try world.head(length: 1_000_000)
        try world.receive("x", andReads: false)
        world.pass(600)
        #expect(world.isOpen)
        world.channel.read()
        world.pass(19)
        #expect(world.isOpen)
        world.pass(2)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("An endless request head closes the connection; a head in pieces does not")
    func heads() throws {
        let slow = try World()
        try slow.receive("POST / HT")
        slow.pass(10)
        try slow.receive("TP/1.1\r\nX: ")
        #expect(slow.isOpen)
        slow.pass(10)
        #expect(!slow.isOpen)
        slow.end()
        let honest = try World()
        try honest.receive("GET / HT")
        honest.pass(10)
        try honest.receive("TP/1.1\r\nHost: x\r\n\r\n")
        honest.pass(1000)
        #expect(honest.isOpen)
        honest.end()
    }

    @Test("A head with too many combining marks in a row is refused before its headers are compared")
    func marks() throws {
        let most = "a" + String(repeating: "\u{301}\u{323}", count: 64)
        for (path, value) in [("/", most), ("/", most + "\u{301}"), ("/" + most + "\u{301}", "gzip")] {
            let world = try World()
            let head = "GET \(path) HTTP/1.1\r\nHost: x\r\nAccept-Encoding: \(value)\r\n\r\n"
            if (path, value) == ("/", most) {
                try world.receive(head)
            } else {
                #expect(throws: HTTPParserError.self) { try world.receive(head) }
            }
            let passed = try world.channel.readInbound(as: HTTPServerRequestPart.self)
            #expect((passed == nil) == ((path, value) != ("/", most)))
            world.end()
        }
    }

    @Test("The connection of a reader below the minimum rate is closed after the allowed time")
    func slowReader() throws {
        let world = try World()
        try world.beginAnswer()
        world.pass(19)
        #expect(world.isOpen)
        world.pass(1)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("A reader at the minimum rate gets the whole answer, and its connection stays open")
    func honestReader() throws {
        let world = try World()
        try world.beginAnswer()
        for _ in 0..<49 {
            world.pass(19)
            world.reads(andThen: 19_000)
            #expect(world.isOpen)
        }
        world.write(.end(nil))
        // The whole answer is written. The client reads its last bytes after the idle timeout.
        world.pass(20)
        #expect(world.isOpen)
        world.reads(andThen: 0)
        world.pass(74)
        #expect(world.isOpen)
        world.pass(21)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("Waiting polls are not slow; idle connections end after 75 s, unused ones after 20 s")
    func idle() throws {
        let poll = try World()
        try poll.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        poll.write(.head(HTTPResponseHead(version: .http1_1, status: .ok)))
        poll.channel.flush()
        poll.pass(100_000)
        #expect(poll.isOpen)
        poll.write(.end(nil))
        poll.channel.flush()
        poll.pass(74)
        #expect(poll.isOpen)
        poll.pass(2)
        #expect(!poll.isOpen)
        poll.end()
        let unused = try World()
        unused.pass(19)
        #expect(unused.isOpen)
        unused.pass(1)
        #expect(!unused.isOpen)
        unused.end()
    }

    @Test("An answer before the end of its request ends the connection and discards the rest")
    func early() throws {
        let world = try World()
        try world.head(length: 1_000_000)
        while try world.channel.readInbound(as: HTTPServerRequestPart.self) != nil {}
        world.answer(.badRequest, length: 0)
        world.write(.end(nil))
        world.channel.flush()
        var sent = ""
        while let bytes = try world.channel.readOutbound(as: ByteBuffer.self) {
            sent += String(buffer: bytes)
        }
        #expect(sent.lowercased().contains("connection: close"))
        try world.receive(String(repeating: "x", count: 1000))
        #expect(try world.channel.readInbound(as: HTTPServerRequestPart.self) == nil)
        world.pass(21)
        #expect(!world.isOpen)
        world.end()
    }

    @Test("Incomplete requests of one address are limited; complete ones are no longer counted")
    func unfinished() throws {
        let world = try World(connections: 2)
        let network = ClientNetwork(world.channel.remoteAddress)
        try world.head(length: 3)
        #expect(!world.register.begin(network))
        try world.receive("abc")
        #expect(world.register.begin(network))
        // Another request is incomplete, so this one is refused, and its reader gets an error.
        try? world.head(length: 3)
        #expect(!world.isOpen)
        world.end()
    }
}
