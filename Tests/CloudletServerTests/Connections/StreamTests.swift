import AsyncHTTPClient
import CloudletServer
import Foundation
import NIOCore
import NIOHTTP1
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Streams of pushes", .timeLimit(.minutes(30)))
struct StreamTests {
    enum Link: CaseIterable {
        case plain, encrypted, compressing
    }

    @Test("Each push is a line, in the order of the changes, and the answer ends", arguments: Link.allCases)
    func lines(link: Link) async throws {
        try await withCertificates { certificates in
            let files = certificates.files()
            try await withServer(
                .loopback,
                { configuration in
                    configuration.port = 0
                    configuration.certificate = link == .encrypted ? files : nil
                }
            ) { world in
                let (alice, courier) = try await Self.audience(in: world)
                let url = try #require(world.server.url).absoluteString
                let stream = courier.replacingOccurrences(of: ServerWorld.publicURL, with: url)
                    .replacingOccurrences(of: "/push/poll", with: "/push/stream")
                try await withClient(trusting: certificates.path("certificate")) { client in
                    var lines = try await Self.open(stream, client, compresses: link == .compressing)
                    try await Self.waiting(for: courier, in: world)
                    let saved = (1...20).map { "r\($0)" }
                    try await world.modify("public", saved.map { create($0) }, as: alice)
                    var names: [String?] = []
                    for _ in saved {
                        let push = try JSON(Array(try #require(try await lines.next()).utf8))
                        names.append(push["ck"]["qry"]["rid"].text)
                    }
                    #expect(names == saved)
                    let leave = courier.replacingOccurrences(of: "/push/poll", with: "/push/leave")
                    #expect(try await world.send("POST", leave).status == 200)
                    #expect(try await lines.next() == nil)
                }
            }
        }
    }

    /// Opens a stream. It begins with an empty line and is not compressed.
    private static func open(
        _ target: String, _ client: HTTPClient, compresses: Bool
    ) async throws -> Lines {
        var request = HTTPClientRequest(url: target)
        if compresses { request.headers.add(name: "accept-encoding", value: "gzip") }
        let answer = try await client.execute(request, timeout: .seconds(60))
        #expect(answer.headers.first(name: "content-type") == "application/x-ndjson")
        #expect(answer.headers.first(name: "content-encoding") == nil)
        var lines = Lines(pieces: answer.body.makeAsyncIterator())
        #expect(try await lines.next() == "")
        return lines
    }

    /// Returns when a device's stream is registered as waiting, so that other tasks write to it.
    private static func waiting(for courier: String, in world: ServerWorld) async throws {
        let token = URLComponents(string: courier)?.queryItems?.first { $0.name == "tok" }?.value
        let device = try await world.service.devices.device(withToken: try #require(token))
        while world.service.pushHub.state.withLock({ state in
            state.devices.slot(of: device).flatMap { state.devices.slots[$0].waitingStream } == nil
        }) {
            await Task.yield()
        }
    }

    /// Signs in a person who saves, and one who subscribes. Returns the first one, and the second one's
    /// courier.
    private static func audience(in world: ServerWorld) async throws -> (Person, String) {
        let alice = try await world.signIn("alice")
        let bob = try await world.signIn("bob")
        try await world.modify("public", [create("p")], as: alice)
        let alert: [String: JSON] = ["notificationInfo": ["alertBody": "New"]]
        try await world.subscribe("public", [subscription("all").with(alert)], as: bob)
        return (alice, try await world.courier(of: bob, on: "phone"))
    }

    /// The lines of an answer, independent of the pieces in which it arrives.
    private struct Lines {
        var pieces: HTTPClientResponse.Body.AsyncIterator
        private var rest = ""

        init(pieces: HTTPClientResponse.Body.AsyncIterator) {
            self.pieces = pieces
        }

        /// The next line, without its end; nil at the end of the answer.
        mutating func next() async throws -> String? {
            while true {
                if let end = rest.firstIndex(of: "\n") {
                    defer { rest = String(rest[rest.index(after: end)...]) }
                    return String(rest[..<end])
                }
                guard let piece = try await pieces.next() else { return rest.isEmpty ? nil : rest }
                rest += String(buffer: piece)
            }
        }
    }
}
