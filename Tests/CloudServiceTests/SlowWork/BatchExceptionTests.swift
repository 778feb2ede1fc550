import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

/// The exceptions of a device's last batches, which `changes/zone` returns.
@Suite("The exceptions of batches", .timeLimit(.minutes(30)))
struct BatchExceptionTests {
    private static let device = "clientId=phone"
    /// The server remembers the batches only of clients that ask for details.
    private static let details: CloudHeaders = ["X-Cloudlet-Details": "1"]

    /// Saves a record into each zone, with these exceptions.
    private static func save(
        _ exceptions: [String], into zoneNames: [String], _ world: ServerWorld
    ) async throws -> Person {
        let alice = try await world.signIn("alice")
        _ = try await world.call("private/zones/modify", zones(create: zoneNames), as: alice)
        for zone in zoneNames {
            let body = batch([create("a")], zone: zone).with([
                "clientChangeToken": "AQID",
                "clientChangeExceptions": .array(exceptions.map { .string($0) }),
            ])
            let saved = try await world.call(
                "private/records/modify", body, as: alice, parameters: device, headers: details)
            #expect(saved.records == ["ok"])
        }
        return alice
    }

    private static func changes(
        of zoneNames: [String], _ world: ServerWorld, _ alice: Person
    ) async throws -> [JSON] {
        let feeds = zoneNames.map { zone -> JSON in ["zoneID": ["zoneName": .string(zone)]] }
        let answer = try await world.call(
            "private/changes/zone", ["zones": .array(feeds)], as: alice, parameters: device,
            headers: details)
        return answer.json["zones"].elements
    }

    @Test("Exceptions that are no record names are left out")
    func names() async throws {
        try await withServer(.loopback) { world in
            let names = ["b", "\u{1}", "\u{fc}", "c d"]
            let alice = try await Self.save(names, into: ["Z"], world)
            let zones = try await Self.changes(of: ["Z"], world, alice)
            #expect(zones[0]["clientChangeToken"] == "AQID")
            #expect(zones[0]["clientChangeExceptions"] == ["b", "c d"])
        }
    }

    @Test("Exceptions count for where an answer is encoded, and for its size")
    func bytes() async throws {
        let gate = GatedExecutor()
        gate.open()
        let configure: @Sendable (inout ServerConfiguration) -> Void = {
            $0.bodyThreads = gate.threads
            $0.limits.answerBytes = 1_000_000
        }
        try await withServer(.socket, configure) { world in
            let names = (0..<200).map { String(repeating: "\"", count: 200) + "\($0)" }
            let zoneNames = ["A", "B", "C", "D"]
            let alice = try await Self.save(names, into: zoneNames, world)
            let before = gate.count
            let two = try await Self.changes(of: ["A", "B"], world, alice)
            #expect(two.map { $0["clientChangeExceptions"].elements.count } == [200, 200])
            #expect(gate.count > before)
            _ = try await world.call("private/zones/modify", zones(create: ["E"]), as: alice)
            let all = try await Self.changes(of: zoneNames + ["E"], world, alice)
            #expect(all.map { $0["clientChangeExceptions"].elements.count } == [200, 200, 200, 0, 0])
            #expect(all[4]["reason"] == .null)
            let reason =
                "the lists clientChangeExceptions of this device in all zones are too long for one answer"
            #expect(all[3]["reason"].text == reason)
        }
    }
}
