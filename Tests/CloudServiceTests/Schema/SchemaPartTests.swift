import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Roles and grants, one by one", .timeLimit(.minutes(30)))
struct SchemaPartTests {
    @Test("Only members of a role may create, once the grants say so")
    func onlyMembers() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            func creates(_ name: String, _ person: Person) async throws -> [String] {
                try await world.modify("public", [create(name)], as: person).records
            }
            #expect(try await creates("p1", alice) == ["ok"])
            #expect(try await world.createRole("PartyAdmin").changes == ["+ CREATE ROLE PartyAdmin"])
            let given = try await world.grant("create", to: "PartyAdmin")
            #expect(
                given.changes == [
                    "~ RECORD TYPE Party GRANT WRITE TO _creator, GRANT CREATE TO _icloud, "
                        + "GRANT READ TO _world -> GRANT WRITE TO _creator, GRANT CREATE TO _icloud, "
                        + "GRANT READ TO _world, GRANT CREATE TO PartyAdmin"
                ])
            #expect(try await world.grant("CREATE", to: "PartyAdmin").changes == [])
            #expect(try await creates("p2", bob) == ["ok"])
            #expect(try await world.grant("create", to: "_icloud", ["remove": true]).changes.count == 1)
            let refused = ["ACCESS_DENIED: CREATE operation not permitted"]
            #expect(try await creates("p3", alice) == refused)
            _ = try await world.role("grant", "PartyAdmin", "alice")
            #expect(try await creates("p3", alice) == ["ok"])
            #expect(try await creates("p4", bob) == refused)
            let exported = try await world.exported()
            #expect(exported.contains("    CREATE ROLE PartyAdmin;\n"))
            #expect(exported.contains("GRANT CREATE TO PartyAdmin"))
            #expect(!exported.contains("GRANT CREATE TO \"_icloud\""))
        }
    }

    @Test("Invalid roles and grants are refused by name, and the schema is unchanged")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p")], as: alice)
            _ = try await world.createRole("Editor")
            let before = try await world.exported()
            let refusals = [
                try await world.createRole("Editor").failure, try await world.createRole("_world").failure,
                try await world.createRole("").failure,
                try await world.grant("create", to: "Nobody").failure,
                try await world.grant("create", to: "Editor", ["type": "Nothing"]).failure,
                try await world.grant("own", to: "Editor").failure,
            ]
            #expect(
                refusals == [
                    "409 EXISTS: the role exists already",
                    "400 BAD_REQUEST: a role's name must consist of printable characters and must not begin "
                        + "with an underscore",
                    "400 BAD_REQUEST: a role's name must consist of printable characters and must not begin "
                        + "with an underscore",
                    "404 NOT_FOUND: there is no such role",
                    "404 NOT_FOUND: Did not find record type: Nothing",
                    "400 BAD_REQUEST: there is no permission with this name",
                ])
            let locked = try await world.operate(
                "POST", "containers/iCloud.test/production/roles/create", ["role": "Late"])
            #expect(locked.failure == "400 BAD_REQUEST: the schema of production is locked")
            #expect(try await world.exported() == before)
        }
    }

    // MARK: Explanations

    @Test(
        "An open server explains which rule allows or refuses an action",
        arguments: [
            (["permission": "create", "recordType": "Party"], true, "the caller holds _icloud"),
            (["permission": "write", "recordName": "p"], false, "the caller holds _world, _icloud"),
            (["permission": "read", "recordName": "p"], true, "the caller holds _world"),
        ] as [(JSON, Bool, String)])
    func explained(question: JSON, isAllowed: Bool, ending: String) async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            _ = try await world.modify("public", [create("p")], as: alice)
            let answer = try await world.explain(question, as: bob)
            #expect(answer.json["allowed"] == .bool(isAllowed))
            #expect(answer.json["recordType"] == "Party")
            let explanation = answer.json["explanation"].text ?? answer.failure
            #expect(explanation.hasPrefix(isAllowed ? "allowed: " : "refused: "))
            #expect(explanation.hasSuffix(ending))
            let own = try await world.explain(["permission": "write", "recordName": "p"], as: alice)
            #expect(
                own.json["explanation"]
                    == "allowed: WRITE on Party is granted to _creator, and the caller holds _creator")
        }
    }

    @Test("Questions about a missing record, or about nothing, are refused; a closed server explains nothing")
    func unexplained() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let missing = try await world.explain(["permission": "read", "recordName": "x"], as: alice)
            #expect(missing.failure == "404 NOT_FOUND: Record not found")
            let vague = try await world.explain(["permission": "read"], as: alice)
            #expect(vague.failure == "400 BAD_REQUEST: neither a record type nor a record is named")
        }
        try await withServer(.loopback, { $0.access = .closed }) { world in
            let question: JSON = ["permission": "read", "recordType": "x", "container": "iCloud.test"]
            let closed = try await world.send("POST", "/dev/access", body: try question.encoded())
            #expect(closed.status >= 400)
            #expect(closed.json["explanation"] == .null)
        }
    }
}

extension ServerWorld {
    fileprivate func createRole(_ name: String) async throws -> Reply {
        try await operate(
            "POST", "containers/iCloud.test/development/roles/create", ["role": .string(name)])
    }

    /// Gives a role a permission on parties.
    fileprivate func grant(
        _ permission: String, to role: String, _ more: [String: JSON] = [:]
    ) async throws -> Reply {
        let body: [String: JSON] = [
            "type": "Party", "permission": .string(permission), "role": .string(role),
        ]
        return try await schema("grant", .object(body.merging(more) { $1 }))
    }

    /// Requests the explanation of a person's permission.
    fileprivate func explain(_ question: JSON, as person: Person) async throws -> Reply {
        let place: JSON = ["container": "iCloud.test", "environment": "development"]
        guard case .object(let members) = question else { return try await send("POST", "/dev/access") }
        return try await send(
            "POST", "/dev/access?ckWebAuthToken=\(person.token)",
            body: try place.with(members).encoded())
    }
}
