import CloudService
import CloudletServer
import Crypto
import Records
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("References of strangers", .timeLimit(.minutes(30)))
struct StrangerReferenceTests {
    private func save(_ world: ServerWorld, _ operations: [JSON], as person: Person) async throws -> [String?]
    {
        try await world.modify("public", operations, as: person)
            .json["records"].texts("serverErrorCode")
    }

    @Test("References of strangers neither prevent the deletion of a public record nor use up its limit")
    func pins() async throws {
        try await serving({ $0.limits.deleteSelfSources = 2 }) { world in
            let (alice, mallory) = (try await world.signIn("alice"), try await world.signIn("mallory"))
            #expect(try await save(world, [create("party")], as: alice) == [nil])
            let pins =
                [
                    create("judge", ["to": link("party", "VALIDATE")]),
                    operation("create", "child", type: "Party", [:], ["parent": ["recordName": "party"]]),
                ] + (0..<3).map { create("m\($0)", ["to": link("party", "DELETE_SELF")]) }
            #expect(try await save(world, pins, as: mallory) == [nil, nil, nil, nil, nil])
            let own = (0..<3).map { create("a\($0)", ["to": link("party", "DELETE_SELF")]) }
            #expect(try await save(world, own, as: alice) == [nil, nil, "BAD_REQUEST"])
            #expect(try await save(world, [forceDelete("party")], as: alice) == [nil])
            let left = try await world.lookup("public", "judge", "child", "m0", "m1", "m2", "a0", as: mallory)
            // The records with delete-self references are deleted, two in one request; the third one stays,
            // as with a plain reference.
            #expect(
                left.json["records"].texts("serverErrorCode") == [
                    nil, nil, "NOT_FOUND", "NOT_FOUND", nil, "NOT_FOUND",
                ])
        }
    }

    @Test("References of people who may write a record prevent its deletion")
    func writers() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            _ = try await world.importSchema(
                schemaText(
                    "to REFERENCE", "GRANT WRITE TO \"_creator\", GRANT READ TO \"_world\"",
                    "GRANT CREATE TO \"_icloud\"", "GRANT WRITE TO Staff", roles: ["Staff"]))
            _ = try await world.role("grant", "Staff", "bob")
            #expect(try await save(world, [create("party")], as: alice) == [nil])
            #expect(
                try await save(world, [create("judge", ["to": link("party", "VALIDATE")])], as: bob) == [nil])
            let held = try await save(world, [forceDelete("party")], as: alice)
            #expect(held == ["VALIDATING_REFERENCE_ERROR"])
            // References of a former member no longer prevent deletions.
            _ = try await world.role("revoke", "Staff", "bob")
            #expect(try await save(world, [forceDelete("party")], as: alice) == [nil])
        }
    }

    @Test("References saved by a server key prevent the deletion of any record until the key is revoked")
    func key() async throws {
        try await withServer(.loopback) { world in
            let (alice, pair) = (try await world.signIn("alice"), P256.Signing.PrivateKey())
            #expect(try await save(world, [create("party"), forceDelete("none")], as: alice) == [nil, nil])
            let key = try await world.register(pair.publicKey.pemRepresentation)
            let held = batch([create("judge", ["to": link("party", "VALIDATE")])])
            #expect(try await world.call("public/records/modify", held, key, pair).records == ["ok"])
            let refused = try await save(world, [forceDelete("party")], as: alice)
            #expect(refused == ["VALIDATING_REFERENCE_ERROR"])
            try await world.service.credentials.revokeServerKey(id: key)
            #expect(try await save(world, [forceDelete("party")], as: alice) == [nil])
        }
    }

    @Test("A person who edits another person's record cannot bind that person's records with it")
    func wiki() async throws {
        try await serving { world in
            let (alice, mallory) = (try await world.signIn("alice"), try await world.signIn("mallory"))
            _ = try await world.importSchema(
                schemaText(
                    "to REFERENCE", "GRANT READ TO \"_world\"", "GRANT CREATE, WRITE TO \"_icloud\"",
                    type: "Page"))
            let page = operation("create", "page", type: "Page")
            #expect(try await save(world, [page, create("party")], as: alice) == [nil, nil])
            let change = operation("forceUpdate", "page", type: "Page", ["to": link("party", "VALIDATE")])
            #expect(try await save(world, [change], as: mallory) == [nil])
            #expect(try await save(world, [forceDelete("party")], as: alice) == [nil])
            // The owner's own reference prevents the deletion.
            let own = operation("forceUpdate", "page", type: "Page", ["to": link("other", "VALIDATE")])
            #expect(try await save(world, [create("other"), own], as: alice) == [nil, nil])
            let held = try await save(world, [forceDelete("other")], as: alice)
            #expect(held == ["VALIDATING_REFERENCE_ERROR"])
        }
    }

    @Test("In a private database every reference prevents the deletion of its target")
    func own() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let saved = [create("party"), create("judge", ["to": link("party", "VALIDATE")])]
            let reply = try await world.modify("private", saved, as: alice)
            #expect(reply.records == ["ok", "ok"])
            let held = try await world.modify("private", [forceDelete("party")], as: alice)
            #expect(held.json["records"].texts("serverErrorCode") == ["VALIDATING_REFERENCE_ERROR"])
        }
    }
}
