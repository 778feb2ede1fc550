import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import CloudletServer
@testable import TestKit

@Suite("Compression of long answers")
struct AnswerCompressorTests {
    /// Begins an answer to a request that accepts gzip. Returns its headers.
    private func begin(_ channel: EmbeddedChannel, length: Int) throws -> HTTPHeaders {
        let request = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/", headers: ["accept-encoding": "gzip"])
        try channel.writeInbound(HTTPServerRequestPart.head(request))
        let answer = HTTPResponseHead(
            version: .http1_1, status: .ok,
            headers: ["content-type": "application/json", "content-length": "\(length)"])
        try channel.writeOutbound(HTTPServerResponsePart.head(answer))
        let part = try channel.readOutbound(as: HTTPServerResponsePart.self)
        guard case .head(let head)? = part else {
            Issue.record("no head was written")
            return [:]
        }
        return head.headers
    }

    @Test("One long answer at a time is compressed on an event loop, without the length of its content")
    func slots() throws {
        let (loop, slots) = (EmbeddedEventLoop(), CompressionSlots())
        let channels = (0..<3).map { _ in
            EmbeddedChannel(handler: AnswerCompressor(slots: slots, when: { _ in true }), loop: loop)
        }
        let first = try begin(channels[0], length: 200_000)
        #expect(first["content-encoding"] == ["gzip"])
        #expect(first["transfer-encoding"] == ["chunked"])
        #expect(first["content-length"].isEmpty)
        let second = try begin(channels[1], length: 200_000)
        #expect(second["content-encoding"].isEmpty)
        #expect(second["content-length"] == ["200000"])
        // Shorter answers need no slot.
        let short = try begin(channels[2], length: 2000)
        #expect(short["content-encoding"] == ["gzip"])
        try channels[2].writeOutbound(HTTPServerResponsePart.end(nil))
        while try channels[2].readOutbound(as: HTTPServerResponsePart.self) != nil {}
        try channels[0].writeOutbound(HTTPServerResponsePart.end(nil))
        let third = try begin(channels[2], length: 200_000)
        #expect(third["content-encoding"] == ["gzip"])
        for channel in channels { _ = try? channel.finish() }
    }
}
