import CloudletServer
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Access", .timeLimit(.minutes(2)))
struct AccessTests {
    @Test("A private database, and what concerns a person, need a person")
    func signInRequired() async throws {
        try await serving { world in
            let calls = [
                ("POST", "private/records/query"), ("POST", "private/records/lookup"),
                ("POST", "private/records/modify"), ("GET", "private/zones/list"),
                ("POST", "private/zones/modify"), ("POST", "private/changes/zone"),
                ("POST", "private/assets/upload"), ("POST", "shared/records/lookup"),
                ("GET", "public/users/caller"), ("GET", "public/users/current"),
            ]
            let bodies: [String: JSON] = [
                "private/records/query": ["query": ["recordType": "Party"]],
                "private/records/lookup": names("a"), "shared/records/lookup": names("a"),
                "private/records/modify": batch([create("a")]),
                "private/zones/modify": zones(create: ["Notes"]),
                "private/changes/zone": ["zones": [["zoneID": ["zoneName": "Notes"]]]],
                "private/assets/upload": ["tokens": [["recordType": "Party", "fieldName": "photo"]]],
            ]
            for (method, endpoint) in calls {
                let body = method == "GET" ? [] : try (bodies[endpoint] ?? [:]).encoded()
                let reply = try await world.send(method, ServerWorld.target(endpoint), body: body)
                #expect(
                    reply.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization", "\(endpoint)"
                )
            }
        }
    }

    @Test("Whoever is not signed in reads public records and saves none")
    func anonymous() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p1")], as: alice)
            #expect(try await world.lookup("public", "p1").records == ["ok"])
            let denied = "ACCESS_DENIED: CREATE operation not permitted"
            let created = try await world.modify("public", [create("p2", type: "New")])
            #expect(created.status == 200)
            #expect(created.records == [denied])
            let changed = try await world.modify(
                "public", [operation("forceUpdate", "p1", type: "Party", ["x": number(1)])])
            #expect(changed.records == ["ACCESS_DENIED: WRITE operation not permitted"])
            let deleted = try await world.modify("public", [forceDelete("p1")])
            #expect(deleted.records == ["ACCESS_DENIED: WRITE operation not permitted"])
            let upload: JSON = ["tokens": [["recordType": "Party", "fieldName": "photo"]]]
            #expect(try await world.call("public/assets/upload", upload).failure == "403 \(denied)")
            let type = try await world.call("public/records/query", ["query": ["recordType": "New"]])
            #expect(type.failure == "404 NOT_FOUND: Did not find record type: New")
        }
    }

    @Test("Only its creator changes and deletes a public record")
    func creatorsOnly() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let made = try await world.modify("public", [create("p1")], as: alice)
            let tag = try #require(made.json["records"][0]["recordChangeTag"].text)
            let attempts = [
                operation("update", "p1", tag: tag, ["x": number(1)]),
                operation("forceUpdate", "p1", type: "Party", ["x": number(1)]),
                operation("forceReplace", "p1", type: "Party"), operation("delete", "p1", tag: tag),
                forceDelete("p1"),
            ]
            for attempt in attempts {
                let reply = try await world.modify("public", [attempt], as: bob)
                #expect(reply.records == ["ACCESS_DENIED: WRITE operation not permitted"], "\(attempt)")
            }
            #expect(try await world.lookup("public", "p1").json == made.json)
            let own = try await world.modify("public", [create("p2")], as: bob)
            #expect(own.records == ["ok"])
            let gone = try await world.modify("public", [attempts[3]], as: alice)
            #expect(gone.records == ["ok"])
        }
    }

    @Test("Nobody sees another person's private records, nor names their zone")
    func othersZone() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            _ = try await world.modify("private", [create("diary")], as: alice)
            let lookup = try await world.lookup("private", "diary", as: bob)
            #expect(lookup.records == ["NOT_FOUND: Record not found"])
            let hers: JSON = ["zoneName": "_defaultZone", "ownerRecordName": .string(alice.recordName)]
            let refusal = "404 ZONE_NOT_FOUND: Zone not found"
            let named = try await world.call(
                "private/records/lookup", names("diary").with(["zoneID": hers]), as: bob
            )
            #expect(named.failure == refusal)
            let save = batch([create("mine")]).with(["zoneID": hers])
            #expect(try await world.call("private/records/modify", save, as: bob).failure == refusal)
            let query: JSON = ["query": ["recordType": "Party"], "zoneID": hers]
            #expect(try await world.call("private/records/query", query, as: bob).failure == refusal)
            let found = try await world.call("private/zones/lookup", ["zones": [hers]], as: bob)
            #expect(found.items("zones") == ["ZONE_NOT_FOUND: Zone not found"])
            #expect(found.json["zones"][0]["zoneID"]["ownerRecordName"] == .string(alice.recordName))
        }
    }

    @Test("Containers and environments are worlds of their own")
    func places() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p1")], as: alice)
            let missing = ["NOT_FOUND: Record not found"]
            let other = try await world.call("public/records/lookup", names("p1"), container: "iCloud.other")
            #expect(other.records == missing)
            let shipped = try await world.call(
                "public/records/lookup", names("p1"), environment: "production"
            )
            #expect(shipped.records == missing)
            let long = String(repeating: "c", count: 128)
            let names = [("..%2F..%2Fetc", 400), ("a%20b", 400), (long, 200), (long + "c", 400)]
            for (name, status) in names {
                let body: JSON = ["records": []]
                let reply = try await world.call("public/records/lookup", body, container: name)
                #expect(reply.status == status, "\(name)")
            }
        }
    }

    @Test("People have names that can be printed, and only a development server takes them")
    func signIn() async throws {
        try await serving { world in
            for body in [#"{"name":""}"#, #"{"name":"a b"}"#, "{}", "[]", "{", #"{"name":7}"#] {
                let reply = try await world.send("POST", "/dev/sign-in", body: Array(body.utf8))
                #expect(reply.status == 400, "\(body)")
                #expect(reply.json["serverErrorCode"] == "BAD_REQUEST", "\(body)")
            }
            let nobody = try await world.send("POST", "/dev/sign-in", body: Array(#"{"name":"ann"}"#.utf8))
            #expect(nobody.json.keys == ["ckWebAuthToken"])
        }
        try await serving({ $0.access = .closed }) { world in
            let reply = try await world.send("POST", "/dev/sign-in", body: Array(#"{"name":"ann"}"#.utf8))
            #expect(reply.failure == "403 ACCESS_DENIED: signing in by name is switched off")
        }
    }
}
