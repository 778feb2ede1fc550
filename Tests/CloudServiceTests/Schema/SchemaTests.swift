import CloudletServer
import Foundation
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Schema", .timeLimit(.minutes(30)))
struct SchemaTests {
    @Test("Saves in development add types and fields to the schema")
    func growth() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let query: JSON = ["query": ["recordType": "Party"]]
            let before = try await world.call("public/records/query", query)
            #expect(before.failure == "404 NOT_FOUND: Did not find record type: Party")
            _ = try await world.modify("public", [create("p", ["a": number(1)])], as: alice)
            #expect(try await world.call("public/records/query", query).json["records"].elements.count == 1)
            let filter: JSON = ["fieldName": "b", "comparator": "EQUALS", "fieldValue": number(2)]
            let byField: JSON = ["query": ["recordType": "Party", "filterBy": [filter]]]
            let unknown = try await world.call("public/records/query", byField)
            #expect(unknown.failure == "400 BAD_REQUEST: Did not find field: 'b' in type: 'Party'")
            _ = try await world.modify("public", [create("q", ["b": number(2)])], as: alice)
            let found = try await world.call("public/records/query", byField)
            #expect(found.json["records"].texts("recordName") == ["q"])
        }
    }

    @Test("A value of the wrong type is refused, and nothing of the record is stored")
    func mismatch() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = ["s": text("x"), "d": ["value": 0.5, "type": "DOUBLE"]]
            _ = try await world.modify("public", [create("p", fields)], as: alice)
            let wrong = batch([
                create("bad", ["s": number(1)]), create("good", ["d": number(1)]),
                create("empty", ["l": ["value": [], "type": "STRING_LIST"]]),
            ])
            let reply = try await world.call("public/records/modify", wrong, as: alice)
            #expect(
                reply.records == [
                    "BAD_REQUEST: invalid attempt to set value type INT64 for field 's' for type 'Party', "
                        + "defined to be: STRING",
                    "ok", "ok",
                ]
            )
            #expect(reply.json["records"][1]["fields"] == ["d": ["value": 1, "type": "DOUBLE"]])
            let stored = try await world.lookup("public", "bad")
            #expect(stored.records == ["NOT_FOUND: Record not found"])
        }
    }

    @Test("A refused save adds nothing to the schema")
    func refusedGrowth() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let clash = batch([create("a", type: "Fresh", ["x": number(1), "1bad": number(2)])])
            #expect(try await world.call("public/records/modify", clash, as: alice).records != ["ok"])
            let query: JSON = ["query": ["recordType": "Fresh"]]
            let asked = try await world.call("public/records/query", query)
            #expect(asked.failure == "404 NOT_FOUND: Did not find record type: Fresh")
        }
    }

    @Test("Production refuses a record type that it does not have")
    func production() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let save = batch([create("p", ["a": number(1)])])
            let reply = try await world.call(
                "public/records/modify", save, as: alice, environment: "production"
            )
            #expect(reply.records == ["BAD_REQUEST: Cannot create new type Party in production schema"])
        }
    }

    @Test("Encrypted fields are for private databases")
    func encrypted() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            let secret: JSON = ["pin": ["value": "1234", "type": "STRING", "isEncrypted": true]]
            let open = try await world.modify("public", [create("p", secret)], as: alice)
            #expect(
                open.records == ["BAD_REQUEST: encrypted fields are not supported in the public database"]
            )
            let own = try await world.modify("private", [create("p", secret)], as: alice)
            #expect(own.json["records"][0]["fields"] == secret)
            let plain = batch([create("q", ["pin": text("1")])])
            #expect(try await world.call("private/records/modify", plain, as: alice).records != ["ok"])
            let filter: JSON = ["fieldName": "pin", "comparator": "EQUALS", "fieldValue": text("1234")]
            let query: JSON = ["query": ["recordType": "Party", "filterBy": [filter]]]
            let asked = try await world.call("private/records/query", query, as: alice)
            #expect(
                asked.failure
                    == "400 BAD_REQUEST: Field 'pin' has a value type of ENCRYPTED_STRING and cannot be "
                    + "queried using filter type EQUALS"
            )
        }
    }

    @Test(
        "Fields of simultaneous saves are all added, and remain after a restart",
        arguments: Transport.allCases)
    func together(transport: Transport) async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let place: @Sendable (inout ServerConfiguration) -> Void = { $0.storage = .folder(folder) }
        let fields = (0..<24).map { "f\($0)" }
        let signedIn = Mutex<Person?>(nil)
        try await withServer(transport, place) { world in
            let alice = try await world.signIn("alice")
            signedIn.withLock { $0 = alice }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for name in fields {
                    group.addTask {
                        let save = batch([create(name, .object([name: number(1)]))])
                        let reply = try await world.call("public/records/modify", save, as: alice)
                        #expect(reply.records == ["ok"])
                    }
                }
                try await group.waitForAll()
            }
        }
        try await withServer(transport, place) { world in
            let wrong = fields.map { create("wrong-\($0)", .object([$0: text("x")])) }
            let person = signedIn.withLock { $0 }
            let reply = try await world.modify("public", wrong, as: person)
            #expect(reply.records.allSatisfy { $0.hasSuffix("defined to be: INT64") })
        }
    }
}
