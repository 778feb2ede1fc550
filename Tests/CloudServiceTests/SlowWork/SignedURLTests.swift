import CloudletServer
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("The signed URLs of answers", .timeLimit(.minutes(30)))
struct SignedURLTests {
    /// A record with a list of this many assets, which all name the same file.
    private static func album(_ name: String, _ receipt: JSON, count: Int) -> JSON {
        let files: JSON = ["value": .array(Array(repeating: receipt, count: count)), "type": "ASSETID_LIST"]
        return create(name, type: "Photo", ["file": files])
    }

    /// Saves 30 records with 6 assets each into a zone of Alice, in requests with few URLs each.
    private static func stock(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        _ = try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
        let receipt = try await world.upload([7], record: "p", database: "private", as: alice)
        for start in [0, 10, 20] {
            let albums = (start..<start + 10).map { album("p\($0)", receipt, count: 6) }
            let saved = try await world.modify("private", albums, zone: "Z", as: alice)
            #expect(saved.records == Array(repeating: "ok", count: 10))
        }
        return alice
    }

    private static func question(_ call: String) -> JSON {
        let zone: JSON = ["zoneName": "Z"]
        switch call {
        case "records/query": return ["query": ["recordType": "Photo"], "zoneID": zone]
        case "records/lookup":
            let names = (0..<30).map { number -> JSON in ["recordName": .string("p\(number)")] }
            return ["records": .array(names), "zoneID": zone]
        case "records/modify":
            let changes = (0..<30).map { operation("forceUpdate", "p\($0)", type: "Photo", ["n": number(1)]) }
            return batch(changes, zone: "Z")
        default: return ["zones": [["zoneID": zone]]]
        }
    }

    @Test(
        "The URLs of records with a few assets each are signed on threads of their own",
        arguments: ["records/query", "records/lookup", "records/modify", "changes/zone"])
    func fewAssets(call: String) async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.bodyThreads = gate.threads }) { world in
            let alice = try await Self.stock(world)
            let before = gate.count
            #expect(before == 0)
            let answer = try await world.call("private/\(call)", Self.question(call), as: alice)
            #expect(gate.count > before)
            let lists = call == "changes/zone" ? answer.json["zones"][0] : answer.json
            let albums = lists["records"].elements
            #expect(albums.count == 30)
            for album in albums {
                let urls = album["fields"]["file"]["value"].texts("downloadURL")
                #expect(urls.compactMap(\.self).count == 6)
            }
        }
    }

    /// How many records the changes of each of these zones have, read in one request.
    private static func changes(
        of zones: [String], _ world: ServerWorld, _ person: Person
    ) async throws -> [Int] {
        let feeds = zones.map { zone -> JSON in ["zoneID": ["zoneName": .string(zone)]] }
        let answer = try await world.call("private/changes/zone", ["zones": .array(feeds)], as: person)
        return answer.json["zones"].elements.map { $0["records"].elements.count }
    }

    @Test("The URLs in the changes of several zones count together")
    func zonesTogether() async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.bodyThreads = gate.threads }) { world in
            let alice = try await world.signIn("alice")
            let names = (0..<8).map { "Z\($0)" }
            _ = try await world.call("private/zones/modify", zones(create: names), as: alice)
            let receipt = try await world.upload([7], record: "p", database: "private", as: alice)
            for zone in names {
                let album = Self.album("p", receipt, count: 30)
                let saved = try await world.modify("private", [album], zone: zone, as: alice)
                #expect(saved.records == ["ok"])
            }
            let few = try await Self.changes(of: Array(names.prefix(2)), world, alice)
            #expect(few == [1, 1])
            #expect(gate.count == 0)
            let many = try await Self.changes(of: names, world, alice)
            #expect(many == Array(repeating: 1, count: 8))
            #expect(gate.count > 0)
        }
    }

    @Test("Records without fields in the changes of several zones count together")
    func zonesWithoutFields() async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.bodyThreads = gate.threads }) { world in
            let alice = try await world.signIn("alice")
            let names = ["A", "B", "C"]
            _ = try await world.call("private/zones/modify", zones(create: names), as: alice)
            for zone in names {
                let empty = (0..<150).map { create("p\($0)", type: "Photo", [:]) }
                _ = try await world.modify("private", empty, zone: zone, as: alice)
            }
            let before = gate.count
            let one = try await Self.changes(of: ["A"], world, alice)
            #expect(one == [150])
            #expect(gate.count == before)
            let all = try await Self.changes(of: names, world, alice)
            #expect(all == [150, 150, 150])
            #expect(gate.count > before)
        }
    }

    @Test("The URLs of records with a few assets each count for the size of a page")
    func pages() async throws {
        try await withServer(.loopback, { $0.limits.answerBytes = 10_000 }) { world in
            let alice = try await Self.stock(world)
            for call in ["records/query", "changes/zone"] {
                let answer = try await world.call("private/\(call)", Self.question(call), as: alice)
                let page = call == "changes/zone" ? answer.json["zones"][0] : answer.json
                #expect((1...5).contains(page["records"].elements.count), "\(call)")
            }
        }
    }
}
