import NIOCore
import Testing

@testable import CloudHTTP

@Suite("Bodies of answers")
struct AnswerBodyTests {
    @Test("The pieces of a body together are the whole body", arguments: [0, 1, 9, 10, 11, 35])
    func pieces(count: Int) {
        let bytes = (0..<count).map { UInt8($0) }
        var buffer = ByteBuffer(bytes: [99] + bytes)
        buffer.moveReaderIndex(forwardBy: 1)
        for body in [AnswerBody.bytes(bytes), .buffer(buffer)] {
            #expect(body.count == count)
            #expect(body.whole == ByteBuffer(bytes: bytes))
            let pieces = stride(from: 0, to: count, by: 10).map { body.piece(at: $0, upTo: 10) }
            #expect(pieces.flatMap { Array($0.readableBytesView) } == bytes)
            #expect(pieces.allSatisfy { $0.readableBytes <= 10 })
        }
    }
}
