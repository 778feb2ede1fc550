import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// A file of `Data/Wire`, read as plain JSON without the codecs.
private struct GoldenRequest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: JSON
    let response: JSON

    /// The requests that a newly started server can answer in the same way.
    static func answerable() throws -> [GoldenRequest] {
        try URL.package.appending(path: "Data/Wire").files("json")
            .map { file in
                let json = try JSON([UInt8](try Data(contentsOf: file)))
                let name = file.deletingPathExtension().lastPathComponent
                return GoldenRequest(
                    testDescription: name, request: json["request"], response: json["response"])
            }
            .filter { $0.path.hasPrefix("/database/1/\(container)/development/") && $0.isPossible }
    }

    static let container = "iCloud.org.example.clowns"

    var path: String { request["path"].text ?? "" }
    var endpoint: String {
        let path = path.split(separator: "?")[0]
        return path.split(separator: "/").dropFirst(4).joined(separator: "/")
    }
    /// Whether a newly started server can answer: not for anonymous callers, shared databases, and tokens of
    /// another server.
    private var isPossible: Bool {
        !testDescription.hasSuffix("signed-out") && !endpoint.hasPrefix("shared/")
            && !request["body"].mentions("syncToken") && !request["body"].mentions("metaSyncToken")
            && !request["body"].mentions("continuationMarker")
    }
}

extension JSON {
    /// Whether a member with this name occurs at any depth.
    fileprivate func mentions(_ key: String) -> Bool {
        switch self {
        case .object(let members): members.contains { $0.key == key || $0.value.mentions(key) }
        case .array(let elements): elements.contains { $0.mentions(key) }
        default: false
        }
    }
}

@Suite("Golden exchanges with a server", .timeLimit(.minutes(30)))
struct GoldenServerTests {
    /// Members that occur in some answers only, such as markers of further pages and names of people.
    private static let occasional: Set<String> = [
        "continuationMarker", "syncToken", "nameComponents", "lookupInfo",
    ]

    /// Creates the zones and types that the exchanges use.
    private func prepare(_ world: ServerWorld, for person: Person) async throws {
        let party: JSON = [
            "name": text("Garden party"), "kind": text("picnic"),
            "starts": ["value": 1_718_200_000_000, "type": "TIMESTAMP"],
        ]
        let calls: [(String, JSON)] = [
            ("private/zones/modify", zones(create: ["Notes", "Old"])),
            ("public/records/modify", batch([create("garden-party", party)])),
            ("private/records/modify", batch([create("n0", type: "Note")], zone: "Notes")),
        ]
        for (endpoint, body) in calls {
            let reply = try await world.call(
                endpoint, body, as: person, container: GoldenRequest.container)
            #expect(reply.status == 200)
        }
    }

    @Test(
        "A server answers each golden request with the status and members of its golden answer",
        arguments: try GoldenRequest.answerable())
    fileprivate func replay(golden: GoldenRequest) async throws {
        try await withServer(.loopback) { world in
            let paul = try await world.signIn("paul", container: GoldenRequest.container)
            try await prepare(world, for: paul)
            let target = ServerWorld.target(golden.endpoint, as: paul, container: GoldenRequest.container)
            let method = try #require(golden.request["method"].text)
            let details = golden.request["headers"] != .null
            let reply = try await world.send(
                method, target, headers: details ? ["X-Cloudlet-Details": "1"] : [:],
                body: method == "GET" ? [] : try golden.request["body"].encoded())
            #expect(JSON.integer(Int64(reply.status)) == golden.response["status"], "\(reply.text)")
            let expected = Set(golden.response["body"].keys).subtracting(Self.occasional)
            #expect(expected.subtracting(reply.json.keys).isEmpty, "\(expected) in \(reply.text)")
            for list in ["records", "zones", "tokens", "assets", "subscriptions"] {
                let wanted = golden.response["body"][list].elements
                guard golden.endpoint.contains("modify") || golden.endpoint.contains("upload") else { break }
                #expect(reply.json[list].elements.count == wanted.count, "\(reply.text)")
            }
        }
    }
}
