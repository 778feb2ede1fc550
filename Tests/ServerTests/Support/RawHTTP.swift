// Owns a client that sends exactly the bytes it is told to, one connection for each request.

import Foundation
import NIOCore
import NIOPosix
import RecordsWire
import Testing

/// HTTP/1.1 by hand: no cleverness between a test and the server.
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

    /// The lines of a request before its body, which ask the server to close the connection after its answer.
    func head(_ method: String, _ target: String, _ headers: CloudHeaders, length: Int?) -> [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        for line in headers { text += "\(line.name): \(line.value)\r\n" }
        if let length, length > 0 || method == "POST" { text += "Content-Length: \(length)\r\n" }
        return Array((text + "\r\n").utf8)
    }

    /// Sends bytes and reads until the server closes. With `breaksOff`, says after them that no more come.
    func exchange(_ bytes: [UInt8], breaksOff: Bool = false) async throws -> [UInt8] {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true)
                    )
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(bytes: bytes))
            if breaksOff { outbound.finish() }
            var received: [UInt8] = []
            for try await part in inbound { received += part.readableBytesView }
            return received
        }
    }
}

/// The server closed the connection without an answer.
struct NoAnswer: Error {}

extension Reply {
    /// Reads an answer, in chunks or not.
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
