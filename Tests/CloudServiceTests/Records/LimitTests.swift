import CloudletServer
import CloudletTesting
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Limits", .timeLimit(.minutes(30)))
struct LimitTests {
    private static func tooMany(_ count: Int) -> String {
        "400 BAD_REQUEST: Your request contains \(count) items which is more than the maximum number of "
            + "items in a single request (200)"
    }

    @Test("A batch has 200 operations at most")
    func operations() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let full = batch((0..<200).map { create("a\($0)") })
            let saved = try await world.call("public/records/modify", full, as: alice)
            #expect(saved.records == Array(repeating: "ok", count: 200))
            let more = batch((0..<201).map { create("b\($0)") })
            let refused = try await world.call("public/records/modify", more, as: alice)
            #expect(refused.failure == Self.tooMany(201))
            #expect(
                try await world.lookup("public", "b0").records[0].hasPrefix("NOT_FOUND"))
        }
    }

    @Test("A look-up names at most 200 records")
    func lookups() async throws {
        try await serving { world in
            func lookup(_ count: Int) async throws -> Reply {
                let items = (0..<count).map { JSON.object(["recordName": "r\($0)"]) }
                return try await world.call("public/records/lookup", ["records": .array(items)])
            }
            let most = try await lookup(200)
            #expect(most.records.count == 200)
            let tooMany = try await lookup(201)
            #expect(tooMany.failure == Self.tooMany(201))
        }
    }

    @Test("An answer contains at most 200 records, whatever limit is requested")
    func answers() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            for start in [0, 150] {
                let saves = (start..<start + 150).map { create("n\($0)") }
                _ = try await world.modify("private", saves, zone: "Notes", as: alice)
            }
            let zone: JSON = ["zoneName": "Notes"]
            for limit: JSON in [nil, 200, 201, 400, 100_000] {
                let query: JSON = ["query": ["recordType": "Party"], "zoneID": zone, "resultsLimit": limit]
                let page = try await world.call("private/records/query", query, as: alice)
                #expect(page.json["records"].elements.count == 200, "\(limit)")
                #expect(page.json["continuationMarker"].text != nil)
                let feed: JSON = ["zones": [["zoneID": zone, "resultsLimit": limit]]]
                let changes = try await world.call("private/changes/zone", feed, as: alice).json["zones"][0]
                #expect(changes["records"].elements.count == 200)
                #expect(changes["moreComing"] == true)
            }
        }
    }

    @Test("A request for uploads names 200 files at most")
    func tokens() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func ask(_ count: Int) async throws -> Reply {
                let token: JSON = ["recordType": "Photo", "fieldName": "file"]
                let tokens = Array(repeating: token, count: count)
                return try await world.call("public/assets/upload", ["tokens": .array(tokens)], as: alice)
            }
            #expect(try await ask(200).json["tokens"].elements.count == 200)
            let refused = try await ask(201)
            #expect(refused.status == 400)
            #expect(refused.json["serverErrorCode"] == "BAD_REQUEST")
        }
    }

    @Test(
        """
        A record has one megabyte of fields at most, and nothing of a larger one is stored
        """)
    func recordSize() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func save(_ name: String, _ count: Int) async throws -> Reply {
                let fields: JSON = ["body": text(String(repeating: "x", count: count))]
                return try await world.modify("public", [create(name, type: "Big", fields)], as: alice)
            }
            #expect(try await save("fits", 1_000_000).records == ["ok"])
            let refused = try await save("huge", 1_048_577)
            #expect(refused.status == 200)
            #expect(refused.json["records"][0]["serverErrorCode"] == "BAD_REQUEST")
            #expect(
                try await world.lookup("public", "huge").records[0].hasPrefix("NOT_FOUND")
            )
        }
    }

    @Test("A request has at most 16 MB, and one without a session at most 1 MB")
    func requestSize() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let body = Array(#"{"records":[],"x":""#.utf8)
            let end = Array(#""}"#.utf8)
            func sent(_ count: Int, as person: Person? = nil) async throws -> Reply {
                let target = ServerWorld.target("public/records/lookup", as: person)
                let filler = Array(repeating: UInt8(ascii: "x"), count: count - body.count - end.count)
                return try await world.send("POST", target, body: body + filler + end)
            }
            #expect(try await sent(16_777_216, as: alice).status == 200)
            let refused = try await sent(16_777_217, as: alice)
            #expect(refused.status == 400)
            #expect(refused.json["serverErrorCode"] == "BAD_REQUEST")
            #expect(try await sent(1_048_576).status == 200)
            #expect(
                try await sent(1_048_577).failure
                    == "400 BAD_REQUEST: request is larger than the maximum of 1048576 bytes")
        }
    }

    @Test("Names have 255 characters at most")
    func nameLengths() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let (fits, long) = (String(repeating: "n", count: 255), String(repeating: "n", count: 256))
            let saves = batch([
                create(fits), create(long), create("t", type: fits), create("u", type: long),
                create("v", .object([fits: number(1)])), create("w", .object([long: number(1)])),
            ])
            let saved = try await world.call("public/records/modify", saves, as: alice)
            #expect(saved.records.map { $0 == "ok" } == [true, false, true, false, true, false])
            let made = try await world.call("private/zones/modify", zones(create: [fits, long]), as: alice)
            #expect(made.items("zones").map { $0 == "ok" } == [true, false])
        }
    }

    @Test("The limits are published under their names")
    func published() async throws {
        try await serving({ $0.limits.recordBytes = 1000 }) { world in
            let limits = try await world.send("GET", "/limits").json
            #expect(limits["operationsPerRequest"] == 200)
            #expect(limits["recordsPerResponse"] == 200)
            #expect(limits["tokensPerRequest"] == 200)
            #expect(limits["recordBytes"] == 1000)
            #expect(limits["assetBytes"] == 52_428_800)
            #expect(limits["uploadSeconds"] == 900)
            #expect(limits["deleteSelfSources"] == 750)
            #expect(limits["clientTokenBytes"] == 1024)
            #expect(limits["clientsPerZone"] == 100)
        }
    }

    @Test("The zones of a request share the answer's bytes, and repeated requests return all changes")
    func sharedBytes() async throws {
        try await serving({ $0.limits.answerBytes = 900 }) { world in
            let alice = try await world.signIn("alice")
            let names = ["A", "B", "C"]
            _ = try await world.call("private/zones/modify", zones(create: names), as: alice)
            for zone in names {
                let saves = (0..<3).map {
                    create("\(zone)\($0)", ["text": text(String(repeating: "x", count: 400))])
                }
                _ = try await world.modify("private", saves, zone: zone, as: alice)
            }
            var tokens: [String: JSON] = [:]
            var pages: [[Int]] = []
            var open = names
            while !open.isEmpty, pages.count < 20 {
                let feeds = open.map { zone -> JSON in
                    ["zoneID": ["zoneName": .string(zone)], "syncToken": tokens[zone] ?? nil]
                }
                let answer = try await world.call("private/changes/zone", ["zones": .array(feeds)], as: alice)
                pages.append(answer.json["zones"].elements.map { $0["records"].elements.count })
                for (name, zone) in zip(open, answer.json["zones"].elements) {
                    tokens[name] = zone["syncToken"]
                    if zone["moreComing"] == false { open.removeAll { $0 == name } }
                }
            }
            #expect(pages.allSatisfy { $0.reduce(0, +) <= 4 }, "\(pages)")
            #expect(pages.joined().reduce(0, +) == 9, "\(pages)")
            #expect(open.isEmpty)
        }
    }

    @Test("The names of records count for the bytes that the zones of a request share")
    func sharedNames() async throws {
        try await serving({ $0.limits.answerBytes = 20_000 }) { world in
            let alice = try await world.signIn("alice")
            let names = ["A", "B", "C"]
            _ = try await world.call("private/zones/modify", zones(create: names), as: alice)
            for zone in names {
                let saves = (0..<30).map { create(String(repeating: "n", count: 200) + "\($0)") }
                _ = try await world.modify("private", saves, zone: zone, as: alice)
            }
            let feeds = names.map { zone -> JSON in ["zoneID": ["zoneName": .string(zone)]] }
            let answer = try await world.call("private/changes/zone", ["zones": .array(feeds)], as: alice)
            let pages = answer.json["zones"].elements
            #expect(pages.map { $0["records"].elements.count } == [30, 0, 0])
            #expect(pages.map { $0["moreComing"] } == [false, true, true])
        }
    }

    @Test("Records that exceed one answer are refused with the advice to split the request")
    func lookupBytes() async throws {
        try await serving({ $0.limits.lookupBytes = 1000 }) { world in
            let alice = try await world.signIn("alice")
            let saves = ["a", "b", "c"].map { create($0, ["text": text(String(repeating: "x", count: 400))]) }
            _ = try await world.modify("public", saves, as: alice)
            let two = try await world.lookup("public", "a", "b")
            #expect(two.records == ["ok", "ok"])
            let three = try await world.call(
                "public/records/lookup", names("a", "b", "c"), headers: ["X-Cloudlet-Details": "1"])
            #expect(three.status == 400)
            #expect(three.failure.contains("more than 1000 bytes of fields"))
            #expect(three.json["cloudlet"]["nextStep"] == "ask for half of them at a time")
        }
    }

    @Test("Lowered limits apply")
    func lowered() async throws {
        let lower: @Sendable (inout ServerConfiguration) -> Void = { configuration in
            configuration.limits.operationsPerRequest = 2
            configuration.limits.recordsPerResponse = 1
            configuration.limits.tokensPerRequest = 1
            configuration.limits.zonesPerRequest = 1
            configuration.limits.recordBytes = 300
            configuration.limits.assetBytes = 10
            configuration.limits.deleteSelfSources = 1
            configuration.limits.requestBytes = 10_000
            configuration.limits.uploadSeconds = 5
        }
        try await serving(lower) { world in
            let alice = try await world.signIn("alice")
            func save(_ operations: JSON...) async throws -> Reply {
                try await world.modify("public", operations, as: alice)
            }
            #expect(try await save(create("a"), create("b")).records == ["ok", "ok"])
            #expect(try await save(create("c"), create("d"), create("e")).status == 400)
            #expect(try await world.lookup("public", "a", "b").status == 400)
            let page = try await world.call("public/records/query", ["query": ["recordType": "Party"]])
            #expect(page.json["records"].elements.count == 1)
            let one = ["x": link("a", "DELETE_SELF")] as JSON
            #expect(try await save(create("s1", type: "S", one)).records == ["ok"])
            #expect(try await save(create("s2", type: "S", one)).records != ["ok"])
            let long: JSON = ["t": text(String(repeating: "x", count: 300))]
            #expect(try await save(create("l", type: "L", long)).records != ["ok"])
            #expect(
                try await save(create("l", ["t": text(String(repeating: "x", count: 10_000))])).status == 400)
            let both = zones(create: ["A", "B"])
            #expect(try await world.call("private/zones/modify", both, as: alice).status == 400)
            let place = try await world.uploadAddress(record: "f", as: alice)
            #expect(try await world.send("POST", place, body: Array(repeating: 1, count: 10)).status == 200)
            #expect(try await world.send("POST", place, body: Array(repeating: 1, count: 11)).status == 400)
            world.clock.advance(bySeconds: 5)
            #expect(try await world.send("POST", place, body: [1]).status == 403)
        }
    }

    @Test("A request names 200 zones at most")
    func zoneCounts() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            func lookup(_ count: Int) async throws -> Reply {
                let zones = (0..<count).map { JSON.object(["zoneName": "z\($0)"]) }
                return try await world.call("private/zones/lookup", ["zones": .array(zones)], as: alice)
            }
            func changes(_ count: Int) async throws -> Reply {
                let zones = (0..<count).map { JSON.object(["zoneID": ["zoneName": "z\($0)"]]) }
                return try await world.call("private/changes/zone", ["zones": .array(zones)], as: alice)
            }
            #expect(try await lookup(200).json["zones"].elements.count == 200)
            #expect(try await lookup(201).failure == Self.tooMany(201))
            #expect(try await changes(200).json["zones"].elements.count == 200)
            #expect(try await changes(201).failure == Self.tooMany(201))
        }
    }
}
