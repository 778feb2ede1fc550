// Owns the proof that a stream of pushes is one well-formed answer, with and without TLS.

import AsyncHTTPClient
import CloudletServer
import Foundation
import NIOCore
import NIOHTTP1
import RecordsWire
import Testing

@Suite("Streams of pushes", .timeLimit(.minutes(2)))
struct StreamTests {
    @Test("Each push is a line, in the order of the changes", arguments: [false, true])
    func lines(isEncrypted: Bool) async throws {
        try await withCertificates { certificates in
            let files = certificates.files()
            try await played(
                .loopback,
                { configuration in
                    configuration.port = 0
                    configuration.certificate = isEncrypted ? files : nil
                }
            ) { world in
                let url = try #require(world.server.url)
                let (alice, courier) = try await Self.audience(in: world)
                let target = courier.replacingOccurrences(of: ServerWorld.publicURL, with: url.absoluteString)
                    .replacingOccurrences(of: "/push/poll", with: "/push/stream")
                try await EncryptionTests.withClient(trusting: certificates.path("certificate")) { client in
                    let request = HTTPClientRequest(url: target)
                    let answer = try await client.execute(request, timeout: .seconds(60))
                    #expect(answer.headers.first(name: "content-type") == "application/x-ndjson")
                    var pieces = answer.body.makeAsyncIterator()
                    #expect(try await Self.line(&pieces) == "")
                    var names: [String] = []
                    let saved = (1...20).map { "r\($0)" }
                    for name in saved {
                        try await world.call("public/records/modify", batch([create(name)]), as: alice)
                        let line = try await Self.line(&pieces)
                        names.append(try JSON(Array(line.utf8))["ck"]["qry"]["rid"].text ?? line)
                    }
                    #expect(names == saved)
                }
            }
        }
    }

    /// Somebody who saves, and the courier of somebody who is told.
    private static func audience(in world: ServerWorld) async throws -> (Person, String) {
        let alice = try await world.signIn("alice")
        let bob = try await world.signIn("bob")
        try await world.call("public/records/modify", batch([create("p")]), as: alice)
        let told: [String: JSON] = ["notificationInfo": ["alertBody": "New"]]
        try await world.subscribe("public", [subscription("all").with(told)], as: bob)
        return (alice, try await world.courier(of: bob, on: "phone"))
    }

    /// The next line, without its end.
    private static func line(
        _ pieces: inout HTTPClientResponse.Body.AsyncIterator
    ) async throws -> String {
        var line = ""
        while !line.hasSuffix("\n"), let piece = try await pieces.next() { line += String(buffer: piece) }
        return String(line.dropLast())
    }
}
