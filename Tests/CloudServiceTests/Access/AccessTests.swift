import CloudletServer
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Access", .timeLimit(.minutes(30)))
struct AccessTests {
    @Test("Private databases and calls about a person require a signed-in person")
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

    @Test("An anonymous caller reads public records and saves none")
    func anonymous() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("public/records/modify", batch([create("p1")]), as: alice)
            #expect(try await world.call("public/records/lookup", names("p1")).records == ["ok"])
            let upload: JSON = ["tokens": [["recordType": "Party", "fieldName": "photo"]]]
            let attempts: [(String, JSON)] = [
                ("public/records/modify", batch([create("p2", type: "New")])),
                (
                    "public/records/modify",
                    batch([operation("forceUpdate", "p1", type: "Party", ["x": number(1)])])
                ),
                ("public/records/modify", batch([forceDelete("p1")])),
                ("public/assets/upload", upload),
            ]
            for (endpoint, body) in attempts {
                let refused = try await world.call(endpoint, body)
                #expect(refused.failure == Self.signIn)
                // A web app whose first call is a save shows the sign-in page.
                let page = try #require(refused.json["redirectURL"].text)
                #expect(try await world.send("GET", page).status == 200)
            }
            let type = try await world.call("public/records/query", ["query": ["recordType": "New"]])
            #expect(type.failure == "404 NOT_FOUND: Did not find record type: New")
        }
    }

    private static let signIn = "421 AUTHENTICATION_REQUIRED: request needs authorization"

    @Test(
        "In a batch of an anonymous caller, the operations that everybody may do are executed")
    func mixedBatch() async throws {
        try await serving { world in
            let open = "DEFINE SCHEMA RECORD TYPE Wish (x INT64, GRANT READ, CREATE TO \"_world\");"
            let closed = " RECORD TYPE Rule (x INT64, GRANT READ TO \"_world\");"
            let party =
                " RECORD TYPE Party (x INT64, GRANT READ TO \"_world\", GRANT CREATE TO \"_icloud\","
                + " GRANT WRITE TO \"_creator\"); RECORD TYPE Users (roles LIST<INT64>);"
            let alice = try await world.signIn("alice")
            #expect(try await world.importSchema(open + closed + party).status == 200)
            _ = try await world.call("public/records/modify", batch([create("p1")]), as: alice)
            let wish = create("w1", type: "Wish", ["x": number(1)])
            let mixed = try await world.call("public/records/modify", batch([wish, forceDelete("p1")]))
            #expect(mixed.records == ["ok", "AUTHENTICATION_REQUIRED: request needs authorization"])
            #expect(try await world.call("public/records/lookup", names("w1", "p1")).records == ["ok", "ok"])
            // If nobody may write, the error does not ask the caller to sign in.
            let rule = try await world.call("public/records/modify", batch([create("r", type: "Rule")]))
            #expect(rule.records == ["ACCESS_DENIED: CREATE operation not permitted"])
        }
    }

    @Test("The current user is returned under every database of the path")
    func usersBelowAnyDatabase() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            for database in ["public", "private", "shared"] {
                for call in ["caller", "current"] {
                    let reply = try await world.get("\(database)/users/\(call)", as: alice)
                    #expect(reply.json["userRecordName"] == .string(alice.recordName), "\(database) \(call)")
                    let nobody = try await world.get("\(database)/users/\(call)")
                    #expect(nobody.failure == Self.signIn)
                    #expect(nobody.json["redirectURL"].text != nil)
                }
            }
        }
    }

    @Test("Only the creator changes and deletes a public record")
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

    @Test("Nobody reads another person's private records or names their zones")
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

    @Test("Containers and environments share no data")
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

    @Test("A sign-in name is printable, and only an open server accepts it without a password")
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
            let refusal = "403 ACCESS_DENIED: only a server that is open for development allows this"
            #expect(reply.failure == refusal)
        }
    }
}
