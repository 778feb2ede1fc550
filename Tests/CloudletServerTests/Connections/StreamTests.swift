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
                let stream = try Self.stream(of: courier, in: world)
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

    @Test(
        "A stream that is open when its person loses a share tells nothing of the share afterwards",
        arguments: ["leave", "remove", "stop"])
    func shareEnds(way: String) async throws {
        try await withServer(.loopback, { $0.port = 0 }) { world in
            let story = try await SharingStory.begin(world)
            let courier = try await Self.participant(of: story)
            try await withClient(trusting: nil) { client in
                let lines = try await Self.open(
                    try Self.stream(of: courier, in: world), client, compresses: false)
                var heard = Heard(story: story, courier: courier, lines: lines)
                #expect(try await heard.changing(Self.edit("one"), by: story.alice) == ["watch"])
                let (change, person): (JSON, Person) =
                    switch way {
                    case "leave": (forceDelete("s"), story.bob)
                    case "stop": (forceDelete("s"), story.alice)
                    default:
                        (
                            operation(
                                "forceUpdate", "s", type: "cloudkit.share", [:], ["participants": []]),
                            story.alice
                        )
                    }
                let end = try await heard.changing(change, by: person)
                #expect(end.isEmpty || end == ["watch"])
                #expect(try await heard.changing(Self.edit("two"), by: story.alice) == [])
                #expect(try await heard.changing(Self.edit("three"), by: story.alice) == [])
            }
        }
    }

    private static func edit(_ title: String) -> JSON {
        operation("forceUpdate", "note", type: "Note", ["title": text(title)])
    }

    /// Lets Bob accept the share and subscribe to the shared database and to his own. Returns the courier of
    /// his tablet.
    private static func participant(of story: SharingStory) async throws -> String {
        let (bob, world) = (story.bob, story.world)
        #expect(try await story.link("accept", as: bob)["participantStatus"] == "ACCEPTED")
        try await world.call("private/zones/modify", zones(create: ["Own"]), as: bob)
        for (database, name) in [("shared", "watch"), ("private", "own")] {
            let wish: JSON = ["subscriptionID": .string(name), "subscriptionType": "database"]
            let made = try await world.subscribe(database, [wish], as: bob)
            #expect(made.items("subscriptions") == ["ok"])
        }
        return try await world.courier(of: bob, on: "tablet")
    }

    /// What a participant's stream tells about changes in the owner's zone.
    private struct Heard {
        let story: SharingStory
        let courier: String
        var lines: Lines

        /// Makes a change in the zone, and then one in a zone of Bob. Returns the subscriptions of the pushes
        /// that the stream sends before the one about Bob's zone.
        mutating func changing(_ change: JSON, by person: Person) async throws -> [String?] {
            let world = story.world
            try await StreamTests.waiting(for: courier, in: world)
            let saved =
                person.name == story.alice.name
                ? try await world.modify("private", [change], zone: "Notes", as: person)
                : try await story.save([change], as: person)
            #expect(saved.records == ["ok"])
            try await StreamTests.waiting(for: courier, in: world)
            let own = create(nil, type: "Note")
            #expect(try await world.modify("private", [own], zone: "Own", as: story.bob).records == ["ok"])
            var told: [String?] = []
            while true {
                let line = try #require(try await lines.next())
                if line.isEmpty { continue }
                let name = try JSON(Array(line.utf8))["ck"]["met"]["sid"].text
                if name == "own" { return told }
                told.append(name)
            }
        }
    }

    private static func stream(of courier: String, in world: ServerWorld) throws -> String {
        let url = try #require(world.server.url).absoluteString
        return courier.replacingOccurrences(of: ServerWorld.publicURL, with: url)
            .replacingOccurrences(of: "/push/poll", with: "/push/stream")
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
