import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// A large answer that was compressed as a whole, before it is sent.
///
/// The compressor of a connection would work on its event loop, where all other connections wait for it.
/// Compressing a large answer takes too long for this, and the time must count for the caller.
struct CompressedAnswer: Sendable {
    let content: ByteBuffer
    /// The value of the header `Content-Encoding`.
    let coding: String

    private static let pieceLength = 256 * 1024

    /// Compresses an answer with a coding that the client accepts. Returns nil if the client accepts none
    /// that the compressor knows.
    ///
    /// - Parameter accepted: the values of the header `Accept-Encoding`.
    init?(_ answer: AnswerBody, accepted: [String]) throws {
        let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
        let request = HTTPRequestHead(
            version: .http1_1, method: .POST, uri: "/",
            headers: HTTPHeaders(accepted.map { ("Accept-Encoding", $0) }))
        try channel.writeInbound(HTTPServerRequestPart.head(request))
        let head = HTTPResponseHead(version: .http1_1, status: .ok)
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        var content = ByteBuffer()
        var found: String?
        func collect() throws {
            while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
                switch part {
                case .head(let head): found = head.headers.first(name: "Content-Encoding")
                case .body(.byteBuffer(var bytes)): content.writeBuffer(&bytes)
                default: break
                }
            }
        }
        for start in stride(from: 0, to: answer.count, by: Self.pieceLength) {
            let piece = answer.piece(at: start, upTo: Self.pieceLength)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(piece)), promise: nil)
            channel.flush()
            try collect()
            if found == nil { break }
        }
        channel.write(HTTPServerResponsePart.end(nil), promise: nil)
        channel.flush()
        try collect()
        _ = try channel.finish()
        guard let coding = found else { return nil }
        (self.content, self.coding) = (content, coding)
    }
}
