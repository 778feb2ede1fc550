import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Purges and resets", .timeLimit(.minutes(30)))
struct PersonalDataTests {
    private static func remove(
        _ zones: [JSON]?, _ reason: JSON = "purged", as person: Person?, _ world: ServerWorld
    ) async throws -> Reply {
        var body: [String: JSON] = ["container": "iCloud.test", "reason": reason]
        if let zones { body["zones"] = .array(zones) }
        let token = person.map { "?ckWebAuthToken=\($0.token)" } ?? ""
        return try await world.send("POST", "/dev/zones\(token)", body: try JSON.object(body).encoded())
    }

    /// The code of a failed call in the details for Cloudlet's own client.
    private static func details(_ reply: Reply) -> JSON { reply.json["cloudlet"]["code"] }

    @Test("The feed of a database's changes contains the reason of a zone's deletion")
    func reasons() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["A", "B", "C", "D"]), as: alice)
            try await world.call("private/zones/modify", zones(delete: ["A"]), as: alice)
            let purged = try await Self.remove(["B"], as: alice, world)
            #expect(purged.json == ["zones": ["B"]])
            #expect(try await Self.remove(["C"], "encryptedDataReset", as: alice, world).status == 200)
            let wanted: CloudHeaders = ["X-Cloudlet-Details": "1"]
            let feed = try await world.call("private/changes/database", as: alice, headers: wanted)
            let heard = feed.json["zones"].elements.map { zone in
                "\(zone["zoneID"]["zoneName"].text ?? "") \(zone["cloudlet"]["reason"].number ?? 1)"
            }
            #expect(heard == ["D 1", "A 1", "B 2", "C 3"])
            let plain = try await world.call("private/changes/database", as: alice)
            #expect(plain.json["zones"].elements.dropFirst().allSatisfy { $0["deleted"] == true })
            #expect(!plain.text.contains("cloudlet"))
        }
    }

    @Test("Calls to a purged or reset zone fail with its reason until the zone is created again")
    func use() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let wanted: CloudHeaders = ["X-Cloudlet-Details": "1"]
            for (reason, code) in [("purged", "zonePurged"), ("encryptedDataReset", "zoneReset")] {
                try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
                try await world.modify("private", [create("a")], zone: "Z", as: alice)
                _ = try await Self.remove(["Z"], .string(reason), as: alice, world)
                for (endpoint, body) in [
                    ("records/modify", batch([create("a")], zone: "Z")),
                    ("records/lookup", names("a", zone: "Z")),
                ] {
                    let reply = try await world.call("private/" + endpoint, body, as: alice, headers: wanted)
                    #expect(reply.status == 404)
                    #expect(reply.json["serverErrorCode"] == "ZONE_NOT_FOUND")
                    #expect(Self.details(reply) == .string(code))
                }
                let zone: JSON = ["zones": [["zoneName": "Z"]]]
                let found = try await world.call("private/zones/lookup", zone, as: alice, headers: wanted)
                #expect(found.json["zones"][0]["cloudlet"]["code"] == .string(code))
                try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
                let again = try await world.lookup("private", "a", zone: "Z", as: alice)
                #expect(again.records == ["NOT_FOUND: Record not found"])
                try await world.call("private/zones/modify", zones(delete: ["Z"]), as: alice)
            }
        }
    }

    @Test(
        "Without zone names, all the app's data and files of this person are removed, and no others",
        arguments: Transport.allCases)
    func everything(transport: Transport) async throws {
        try await withServer(transport) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            for person in [alice, bob] {
                try await world.call("private/zones/modify", zones(create: ["Z"]), as: person)
                let receipt = try await world.upload([1], record: "p", database: "private", as: person)
                let batch = batch([create("a"), world.photo("p", receipt)])
                #expect(
                    try await world.call("private/records/modify", batch, as: person).records == ["ok", "ok"])
            }
            #expect(world.contentFiles.count == 2)
            #expect(try await Self.remove(nil, as: alice, world).json == ["zones": ["_defaultZone", "Z"]])
            let mine = try await world.lookup("private", "a", "p", as: alice)
            #expect(mine.records == Array(repeating: "NOT_FOUND: Record not found", count: 2))
            let theirs = try await world.lookup("private", "a", "p", as: bob)
            #expect(theirs.records == ["ok", "ok"])
            #expect(world.contentFiles.count == 1)
        }
    }

    @Test("A removal of other people's zones, of missing zones or without a reason is refused")
    func refusals() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
            let missing = try await Self.remove(["Z", "Y"], as: alice, world)
            #expect(missing.failure == "404 ZONE_NOT_FOUND: Zone not found")
            let nobody = try await Self.remove(["Z"], as: nil, world)
            #expect(nobody.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
            let odd = try await Self.remove(["Z"], "boredom", as: alice, world)
            #expect(odd.failure == "400 BAD_REQUEST: there is no reason with this name")
            #expect(try await world.get("private/zones/list", as: alice).json["zones"].elements.count == 2)
        }
        try await serving({ $0.access = .closed }) { world in
            let reply = try await Self.remove(["Z"], as: nil, world)
            let refusal = "403 ACCESS_DENIED: only a server that is open for development allows this"
            #expect(reply.failure == refusal)
        }
    }
}
