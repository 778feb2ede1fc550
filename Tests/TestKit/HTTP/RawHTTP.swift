import Foundation
import NIOCore
import NIOPosix
import RecordsWire
import Testing

/// Sends HTTP/1.1 requests as plain bytes, without an HTTP library between the test and the server.
struct RawHTTP: Sendable {
    let host: String
    let port: Int

    init(_ url: URL) throws {
        host = try #require(url.host)
        port = try #require(url.port)
    }

    /// Sends a request and reads its whole answer.
    func send(
        _ method: String, _ target: String, _ headers: CloudHeaders, _ body: [UInt8]
    ) async throws -> Reply {
        let answer = try await exchange(head(method, target, headers, length: body.count) + body)
        return try Reply(answer)
    }

    /// The head of a request, which asks the server to close the connection after its answer.
    func head(_ method: String, _ target: String, _ headers: CloudHeaders, length: Int?) -> [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        for line in headers { text += "\(line.name): \(line.value)\r\n" }
        if let length, length > 0 || method == "POST" { text += "Content-Length: \(length)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Sends bytes and reads until the server closes the connection. `breaksOff` closes the sending side
    /// after the bytes.
    func exchange(_ bytes: [UInt8], breaksOff: Bool = false) async throws -> [UInt8] {
        try await withConnection { connection in
            try await connection.send(bytes)
            if breaksOff { connection.breakOff() }
            return try await connection.readToEnd()
        }
    }

    /// Runs `work` with a new connection. The system's receive buffer holds about `buffer` bytes.
    func withConnection<Value: Sendable>(
        buffer: Int? = nil, _ work: @Sendable (inout RawConnection) async throws -> Value
    ) async throws -> Value {
        var bootstrap = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
        if let buffer { bootstrap = bootstrap.channelOption(.socketOption(.so_rcvbuf), value: .init(buffer)) }
        let channel = try await bootstrap.connect(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true)
                )
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            var connection = RawConnection(inbound: inbound.makeAsyncIterator(), outbound: outbound)
            return try await work(&connection)
        }
    }
}

/// A connection with the received bytes that no method has returned yet.
struct RawConnection {
    var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    private var received: [UInt8] = []

    init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.inbound = inbound
        self.outbound = outbound
    }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

    /// Closes the sending side of the connection.
    func breakOff() { outbound.finish() }

    /// Reads all bytes until the server closes the connection.
    mutating func readToEnd() async throws -> [UInt8] {
        while try await readMore() {}
        defer { received = [] }
        return received
    }

    /// Reads the next answer, which must have a header with its length. Throws `NoAnswer` if the connection
    /// ends first.
    mutating func answer() async throws -> Reply {
        while true {
            if let end = received.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
                let head = try Reply(Array(received[..<end]))
                let length = head.headers["Content-Length"].flatMap { Int($0) } ?? 0
                if received.count - end >= length {
                    defer { received = Array(received[(end + length)...]) }
                    return Reply(
                        status: head.status, headers: head.headers,
                        bytes: Array(received[end..<end + length]))
                }
            }
            guard try await readMore() else { throw NoAnswer() }
        }
    }

    private mutating func readMore() async throws -> Bool {
        guard let part = try await inbound.next() else { return false }
        received += part.readableBytesView
        return true
    }
}

/// The error for a connection that the server closed without an answer.
struct NoAnswer: Error {}

extension Reply {
    /// Parses an answer, with a body in chunks or of a known length.
    init(_ bytes: [UInt8]) throws {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { throw NoAnswer() }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
        var headers = CloudHeaders()
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            headers.add(parts[0], parts.count > 1 ? parts[1] : "")
        }
        var body = Array(bytes[end.upperBound...])
        if headers["Transfer-Encoding"] == "chunked" { body = try Self.joined(chunks: body) }
        self.init(status: status, headers: headers, bytes: body)
    }

    private static func joined(chunks: [UInt8]) throws -> [UInt8] {
        var (rest, body) = (chunks[...], [UInt8]())
        while true {
            let line = try #require(rest.firstRange(of: Array("\r\n".utf8)))
            let size = try #require(Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16))
            if size == 0 { return body }
            body += rest[line.upperBound..<line.upperBound + size]
            rest = rest[(line.upperBound + size + 2)...]
        }
    }
}
