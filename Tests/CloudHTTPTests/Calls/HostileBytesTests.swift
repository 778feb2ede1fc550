import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Hostile bytes", .timeLimit(.minutes(30)))
struct HostileBytesTests {
    private static let line =
        "POST /database/1/iCloud.test/development/public/records/modify HTTP/1.1\r\nHost: 127.0.0.1\r\n"

    /// The bytes to send on a new connection, with the expected status; nil: any answer or none.
    private static let attempts: [(name: String, bytes: [UInt8], status: Int?)] = [
        ("no HTTP", Array("GARBAGE\r\n\r\n".utf8), 400),
        ("a version to come", Array("GET / HTTP/9.9\r\n\r\n".utf8), nil),
        (
            "a hello of TLS", [0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x0a, 0x0a],
            400
        ),
        ("a negative length", Array((line + "Content-Length: -5\r\n\r\n").utf8), 400),
        ("two lengths", Array((line + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef").utf8), 400),
        (
            "more behind a request",
            Array("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGARBAGE GARBAGE\r\n\r\n".utf8), 404
        ),
        (
            "a header too long", Array((line + "X: \(String(repeating: "a", count: 100_000))\r\n\r\n").utf8),
            nil
        ),
        ("a head without an end", Array(line.utf8), nil),
        ("a chunk of no size", Array((line + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n").utf8), nil),
        (
            "a long body that waits to be asked for",
            Array((line + "Connection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}").utf8),
            nil
        ),
        (
            "a body beyond the limit",
            Array((line + "Connection: close\r\nContent-Length: 30000000\r\n\r\n").utf8)
                + [UInt8](repeating: 0, count: 30_000_000), nil
        ),
    ]

    @Test("After hostile bytes, the next request is answered as usual", arguments: attempts.map(\.name))
    func survival(name: String) async throws {
        try await withServer(.socket) { world in
            let client = try RawHTTP(try #require(world.server.url))
            let attempt = try #require(Self.attempts.first { $0.name == name })
            for _ in 1...3 {
                // The server may close the connection while the test still sends. That is accepted, too.
                let answer = (try? await client.exchange(attempt.bytes, breaksOff: true)) ?? []
                if let status = attempt.status {
                    #expect(try Reply(answer).status == status, "\(String(decoding: answer, as: UTF8.self))")
                }
                let next = try await client.send("GET", "/limits", ["Accept-Encoding": "gzip"], [])
                #expect(next.status == 200)
            }
        }
    }
}
