import AsyncHTTPClient
import CloudletServer
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Compression", .timeLimit(.minutes(30)))
struct CompressionTests {
    @Test("A long answer is compressed on demand, with the same content")
    func long() async throws {
        try await withServer(.socket) { world in
            let alice = try await world.signIn("alice")
            let saves = (0..<100).map { create("p\($0)", ["title": text("a title like any other")]) }
            try await world.modify("public", saves, as: alice)
            let body: JSON = ["query": ["recordType": "Party"]]
            let plain = try await world.call("public/records/query", body)
            #expect(plain.headers["Content-Encoding"] == nil)
            let small = try await world.call(
                "public/records/query", body, headers: ["Accept-Encoding": "gzip"]
            )
            #expect(small.headers["Content-Encoding"] == "gzip")
            #expect(small.bytes.count * 4 < plain.bytes.count)
            #expect(try await Self.inflated(world, body) == plain.bytes)
            let refusing = try await world.call(
                "public/records/query", body, headers: ["Accept-Encoding": "identity"]
            )
            #expect(refusing.bytes == plain.bytes)
        }
    }

    @Test("A large answer is compressed with the right length, for HTTP/1.0 too, and another follows it")
    func pieces() async throws {
        try await withServer(.socket) { world in
            let alice = try await world.signIn("alice")
            let title = text(String(repeating: "a title like any other ", count: 300))
            let saves = (0..<40).map { create("p\($0)", ["title": title]) }
            try await world.modify("public", saves, as: alice)
            let body: JSON = ["query": ["recordType": "Party"]]
            let plain = try await world.call("public/records/query", body)
            #expect(plain.bytes.count > 2 * 128 * 1024)
            // Both answers come through one connection.
            for _ in 1...2 {
                let small = try await world.call(
                    "public/records/query", body, headers: ["Accept-Encoding": "gzip"])
                #expect(small.headers["Content-Encoding"] == "gzip")
                #expect(small.headers["Content-Length"] == "\(small.bytes.count)")
                #expect(small.bytes.count * 4 < plain.bytes.count)
            }
            #expect(try await Self.inflated(world, body) == plain.bytes)
            let raw = try RawHTTP(#require(world.server.url))
            let question = try body.encoded()
            let target = ServerWorld.target("public/records/query")
            let head = raw.head("POST", target, ["Accept-Encoding": "gzip"], length: question.count)
            let old = String(decoding: head, as: UTF8.self).replacing("HTTP/1.1", with: "HTTP/1.0")
            let answer = try Reply(try await raw.exchange(Array(old.utf8) + question))
            #expect(answer.headers["Transfer-Encoding"] == nil)
            #expect(answer.headers["Content-Length"] == "\(answer.bytes.count)")
            #expect(answer.bytes.count * 4 < plain.bytes.count)
            let choices = [
                ("br, *;q=0.5", "gzip"), ("deflate", nil), ("gzip;q=0, *", nil), ("GZIP ; q=0.1", "gzip"),
            ]
            for (accepted, coding) in choices {
                let answer = try await world.call(
                    "public/records/query", body, headers: ["Accept-Encoding": accepted])
                #expect(answer.headers["Content-Encoding"] == coding)
                #expect((answer.bytes == plain.bytes) == (coding == nil))
            }
        }
    }

    @Test("Short answers and files are not compressed")
    func plain() async throws {
        try await withServer(.socket) { world in
            let alice = try await world.signIn("alice")
            let gzip: CloudHeaders = ["Accept-Encoding": "gzip"]
            let short = try await world.call("public/records/lookup", names("x"), headers: gzip)
            #expect(short.headers["Content-Encoding"] == nil)
            let content = Array(String(repeating: "x", count: 10_000).utf8)
            let receipt = try await world.upload(content, record: "f1", as: alice)
            let saved = try await world.modify("public", [world.photo("f1", receipt)], as: alice)
            let place = try #require(saved.json["records"][0]["fields"]["file"]["value"]["downloadURL"].text)
            let file = try await world.send("GET", place, headers: gzip)
            #expect(file.headers["Content-Encoding"] == nil)
            #expect(file.bytes == content)
        }
    }

    /// The answer to a query, decompressed by the client.
    private static func inflated(_ world: ServerWorld, _ body: JSON) async throws -> [UInt8] {
        var configuration = HTTPClient.Configuration()
        configuration.decompression = .enabled(limit: .none)
        let client = HTTPClient(configuration: configuration)
        let url = try #require(world.server.url).absoluteString
        var request = HTTPClientRequest(url: url + ServerWorld.target("public/records/query"))
        request.method = .POST
        request.body = .bytes(try body.encoded())
        do {
            let response = try await client.execute(request, timeout: .seconds(30))
            let bytes = Array(try await response.body.collect(upTo: 1 << 20).readableBytesView)
            try await client.shutdown()
            return bytes
        } catch {
            try await client.shutdown()
            throw error
        }
    }
}
