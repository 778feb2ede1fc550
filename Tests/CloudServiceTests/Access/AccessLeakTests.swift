import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Access leaves no gaps", .timeLimit(.minutes(30)))
struct AccessLeakTests {
    /// A type that every signed-in person can create and write, and only the creator and the members of Staff
    /// can read.
    private static let dropBox = schemaText(
        "x INT64", "secret STRING", "file ASSET", #""___recordID" REFERENCE QUERYABLE"#,
        #"GRANT READ TO "_creator""#, #"GRANT CREATE, WRITE TO "_icloud""#, "GRANT READ TO Staff",
        roles: ["Staff"], type: "Photo"
    )

    @Test("A caller who may write but not read sees only the fields of the write itself")
    func writeOnly() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            _ = try await world.importSchema(Self.dropBox)
            let fields: JSON = ["x": number(1), "secret": text("hers")]
            let save = batch([create("p", type: "Photo", fields)])
            let made = try await world.call("public/records/modify", save, as: alice)
            #expect(made.json["records"][0]["fields"].keys == ["secret", "x"])
            let change = batch([operation("forceUpdate", "p", type: "Photo", ["x": number(2)])])
            let changed = try await world.call("public/records/modify", change, as: bob)
            #expect(changed.json["records"][0]["fields"] == ["x": number(2)])
            let stale = batch([operation("update", "p", tag: "1", ["x": number(3)])])
            let details: CloudHeaders = ["X-Cloudlet-Details": "1"]
            let conflict = try await world.call(
                "public/records/modify", stale, as: bob, headers: details)
            #expect(conflict.records == ["CONFLICT: client oplock error updating record"])
            #expect(!conflict.text.contains("hers"))
            let own = try await world.call("public/records/modify", stale, as: alice, headers: details)
            #expect(own.text.contains("hers"))
        }
    }

    @Test("A caller who may not read a record gets no receipt for its file and no query result")
    func hidden() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            _ = try await world.importSchema(Self.dropBox)
            let file = try await world.upload(Array("clown".utf8), record: "p", as: alice)
            let save = batch([world.photo("p", file)])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            let receipt: JSON = [
                "zoneID": ["zoneName": "_defaultZone"], "assets": [["recordName": "p", "fieldName": "file"]],
            ]
            let refused = ["ACCESS_DENIED: READ operation not permitted"]
            let taken = try await world.call("public/assets/rereference", receipt, as: bob)
            #expect(taken.items("assets") == refused)
            #expect(try await world.lookup("public", "p", as: bob).records == refused)
            let query: JSON = ["query": ["recordType": "Photo"]]
            let found = try await world.call("public/records/query", query, as: bob)
            #expect(found.json["records"] == [])
            let nobody = try await world.call("public/records/query", query)
            #expect(nobody.failure == "403 ACCESS_DENIED: READ operation not permitted")
            _ = try await world.role("grant", "Staff", "bob")
            let staff = try await world.call("public/records/query", query, as: bob)
            #expect(staff.json["records"].texts("recordName") == ["p"])
            #expect(try await world.call("public/assets/rereference", receipt, as: bob).status == 200)
            _ = try await world.role("revoke", "Staff", "bob")
            #expect(try await world.lookup("public", "p", as: bob).records == refused)
        }
    }

    @Test("A save that the grants refuse adds nothing to the schema")
    func shaping() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            _ = try await world.importSchema(
                schemaText(
                    "x INT64", "n NUMBER", #"GRANT WRITE TO "_creator""#, "GRANT CREATE TO Staff",
                    #"GRANT READ TO "_world""#, roles: ["Staff"]
                )
            )
            _ = try await world.role("grant", "Staff", "alice")
            let save = batch([create("p", ["x": number(1)])])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            let before = try await world.exported()
            let attempts = [
                operation("forceUpdate", "p", type: "Party", ["new": number(1)]),
                operation("forceUpdate", "p", ["newer": number(1)]),
                create("q", ["other": number(1)]), create("r", ["n": number(1)]),
                operation("forceReplace", "s", type: "Party", ["another": number(1)]),
            ]
            for attempt in attempts {
                let reply = try await world.modify("public", [attempt], as: bob)
                #expect(reply.records.first?.hasPrefix("ACCESS_DENIED") == true, "\(attempt)")
            }
            let stranger = batch([create("t", type: "Fresh", ["x": number(1)])])
            let nobody = try await world.call("public/records/modify", stranger)
            #expect(nobody.failure == "421 AUTHENTICATION_REQUIRED: request needs authorization")
            #expect(try await world.exported() == before)
            let growth = batch([operation("forceUpdate", "p", type: "Party", ["new": number(1)])])
            #expect(try await world.call("public/records/modify", growth, as: alice).records == ["ok"])
            #expect(try await world.exported() != before)
        }
    }

    @Test("Saving a child does not change a parent that the caller may not write")
    func parents() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let made = try await world.modify("public", [create("p")], as: alice)
            let parent: [String: JSON] = ["parent": ["recordName": "p"]]
            let child = batch([operation("create", "c", type: "Party", [:], parent)])
            #expect(try await world.call("public/records/modify", child, as: bob).records == ["ok"])
            #expect(try await world.lookup("public", "p").json == made.json)
        }
    }
}
