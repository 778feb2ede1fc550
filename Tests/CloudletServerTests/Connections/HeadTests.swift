import CloudService
import Records
import RecordsWire
import Testing

@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Heads of requests", .timeLimit(.minutes(30)))
struct HeadTests {
    private static let target = ServerWorld.target("public/records/lookup")
    private static let body = Array(#"{"records":[]}"#.utf8)

    /// The head of a lookup, with a field `X-Pad` whose value has `count` bytes.
    private static func head(padding count: Int) -> [UInt8] {
        let fields = ["Host: 127.0.0.1", "Content-Length: \(body.count)", "X-Pad: \(padding(count))"]
        return Array("POST \(target) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n".utf8)
    }

    private static func padding(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test("A large head counts until its request is answered, and is refused when too much is received")
    func counted() async throws {
        let lower: @Sendable (inout ServerConfiguration) -> Void = {
            $0.limits.receivingBytes = 40_000
            $0.limits.requestBytes = 10_000
        }
        try await withServer(.socket, lower) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let (first, second) = try await raw.withConnection { talk in
                try await talk.send(Self.head(padding: 15_000))
                try await until { world.server.composition.service.traffic.receiving.bytes > 15_000 }
                let other = try await raw.withConnection { other in
                    try await other.send(Self.head(padding: 15_000) + Self.body)
                    return try await other.answer()
                }
                try await talk.send(Self.body)
                return (try await talk.answer(), other)
            }
            #expect(first.status == 200)
            #expect(second.failure == "503 TRY_AGAIN_LATER: the server is receiving as much as it can")
            try await until { world.server.composition.service.traffic.receiving.bytes == 0 }
        }
    }

    @Test("A head of the largest size is read; a larger one is refused, and its connection ends")
    func largest() async throws {
        #expect(Limits().requestHeadBytes == 16_384)
        try await withServer(.socket, { $0.limits.requestHeadBytes = 3000 }) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let most = 3000 - "Host127.0.0.1Content-Length\(Self.body.count)X-Pad\(Self.target)".utf8.count
            let fits = try await raw.withConnection { talk in
                try await talk.send(Self.head(padding: most) + Self.body)
                return try await talk.answer()
            }
            #expect(fits.status == 200)
            let (refused, rest) = try await raw.withConnection { talk in
                try await talk.send(Self.head(padding: most + 1) + Self.body)
                return (try await talk.answer(), try await talk.readToEnd())
            }
            #expect(refused.status == 431)
            #expect(refused.headers["Connection"] == "close")
            #expect(
                refused.json["reason"].text
                    == "the head of the request is larger than the maximum of 3000 bytes (requestHeadBytes)")
            #expect(rest.isEmpty)
        }
    }

    @Test("A head with too many fields is refused")
    func fields() async throws {
        try await withServer(.socket) { world in
            let raw = try RawHTTP(try #require(world.server.url))
            let reply = try await raw.withConnection { talk in
                let fields = (0..<300).map { "X-\($0): x\r\n" }.joined()
                try await talk.send(Array("GET /limits HTTP/1.1\r\nHost: x\r\n\(fields)\r\n".utf8))
                return try await talk.answer()
            }
            #expect(reply.status == 431)
        }
    }
}
