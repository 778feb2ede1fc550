import CloudletServer
import CloudletTesting
import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Deleting parts of a schema", .timeLimit(.minutes(30)))
struct SchemaDeletionTests {
    @Test("A wrongly typed field is deleted with its values, comes back with the right type, and is deployed")
    func wrongType() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            for (database, person) in [("public", alice), ("private", alice), ("private", bob)] {
                let wrong = batch([create("p", ["size": text("5"), "name": text("Gala")])])
                let reply = try await world.call("\(database)/records/modify", wrong, as: person)
                #expect(reply.records == ["ok"])
            }
            let right = batch([operation("forceUpdate", "p", type: "Party", ["size": number(5)])])
            #expect(
                try await world.call("public/records/modify", right, as: alice).records == [
                    "BAD_REQUEST: invalid attempt to set value type INT64 for field 'size' for type 'Party', "
                        + "defined to be: STRING"
                ])
            let part: JSON = ["type": "Party", "field": "size"]
            #expect(try await world.schema("count", part).json["records"] == 3)
            let deleted = try await world.schema("delete", part)
            #expect(deleted.changes == ["- Party.size STRING QUERYABLE SEARCHABLE SORTABLE"])
            #expect(try await world.schema("count", ["type": "Party"]).json["records"] == 3)
            for (database, person) in [("public", alice), ("private", alice), ("private", bob)] {
                let left = try await world.lookup("\(database)", "p", as: person)
                #expect(left.json["records"][0]["fields"] == ["name": text("Gala")])
            }
            #expect(try await world.call("public/records/modify", right, as: alice).records == ["ok"])
            let filter: JSON = ["fieldName": "size", "comparator": "GREATER_THAN", "fieldValue": number(4)]
            let query: JSON = ["query": ["recordType": "Party", "filterBy": [filter]]]
            let found = try await world.call("public/records/query", query)
            #expect(found.json["records"].texts("recordName") == ["p"])
            #expect(try await world.schema("deploy").status == 200)
            let late = try await world.schema("delete", part)
            #expect(
                late.failure
                    == "400 BAD_REQUEST: Field 'size' of type 'Party' is in production and cannot be removed")
        }
    }

    @Test("A type is deleted even if its texts are too large for one batch")
    func longTexts() async throws {
        try await withServer(.loopback, { $0.limits.searchableBytesPerRequest = 1000 }) { world in
            let alice = try await world.signIn("alice")
            let long = text(String(repeating: "word ", count: 120))
            for name in ["a", "b", "c"] {
                let saved = try await world.modify(
                    "public", [create(name, type: "Note", ["t": long])], as: alice)
                #expect(saved.records == ["ok"])
            }
            #expect(try await world.schema("delete", ["type": "Note"]).status == 200)
            #expect(try await world.lookup("public", "a", "b", "c").records.contains("ok") == false)
        }
    }

    @Test("A type is deleted with its records and files in every database, even if they refer to each other")
    func types() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let file = try await world.upload(Array("clown".utf8), record: "f", as: alice)
            let saves = [
                world.photo("f", file), create("a", type: "Photo"),
                create("b", type: "Photo", ["to": link("a", "VALIDATE")]), create("kept"),
            ]
            for save in saves {
                #expect(
                    try await world.modify("public", [save], as: alice).records == ["ok"])
            }
            let inZone = batch([create("z", type: "Photo")]).with(["zoneID": ["zoneName": "Notes"]])
            #expect(try await world.call("private/records/modify", inZone, as: alice).records == ["ok"])
            #expect(world.contentFiles.count == 1)
            #expect(try await world.schema("count", ["type": "Photo"]).json["records"] == 4)
            #expect(try await world.schema("delete", ["type": "Photo"]).status == 200)
            #expect(world.contentFiles.isEmpty)
            let left = try await world.lookup("public", "f", "a", "b", "kept")
            #expect(left.records.filter { $0 == "ok" }.count == 1)
            let feed: JSON = ["zones": [["zoneID": ["zoneName": "Notes"]]]]
            let changes = try await world.call("private/changes/zone", feed, as: alice)
            #expect(changes.json["zones"][0]["records"][0]["deleted"] == true)
            let query: JSON = ["query": ["recordType": "Photo"]]
            #expect(
                try await world.call("public/records/query", query).failure
                    == "404 NOT_FOUND: Did not find record type: Photo")
        }
    }

    @Test("A type whose records others refer to cannot be deleted, and the schema is unchanged")
    func held() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let both = batch([
                create("a", type: "Root"), create("b", type: "Leaf", ["to": link("a", "VALIDATE")]),
            ])
            #expect(try await world.call("public/records/modify", both, as: alice).records == ["ok", "ok"])
            let before = try await world.exported()
            let refused = try await world.schema("delete", ["type": "Root"])
            #expect(refused.json["serverErrorCode"] == "VALIDATING_REFERENCE_ERROR")
            #expect(try await world.exported() == before)
            #expect(try await world.lookup("public", "a").records == ["ok"])
        }
    }

    @Test(
        "Missing parts, and the user type of every container, cannot be deleted",
        arguments: [
            (["type": "Nothing"], "404 NOT_FOUND: the schema has no such part"),
            (["type": "Users"], "400 BAD_REQUEST: the record type Users belongs to every container"),
            (["type": "Users", "field": "rolls"], "404 NOT_FOUND: the schema has no such part"),
        ] as [(JSON, String)])
    func refused(part: JSON, failure: String) async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let before = try await world.exported()
            #expect(try await world.schema("delete", part).failure == failure)
            #expect(try await world.exported() == before)
        }
    }

    @Test("An import deletes the data of missing parts, keeps the type Users, and drops indexes at once")
    func imported() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let save = batch([
                create("p", ["a": text("x"), "b": text("y"), "l": ["value": ["x"], "type": "STRING_LIST"]]),
                create("gone", type: "Other"),
            ])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok", "ok"])
            #expect(try await world.indexes().contains { $0.hasPrefix("type_") && $0.contains("_f") })
            let text =
                "DEFINE SCHEMA RECORD TYPE Party (a STRING, l LIST<STRING>, "
                + "GRANT READ TO \"_world\");"
            let change = try await world.importSchema(text)
            #expect(change.changes.contains("- RECORD TYPE Other"))
            #expect(try await world.exported().contains("RECORD TYPE Users ("))
            let left = try await world.lookup("public", "p", "gone")
            #expect(left.json["records"][0]["fields"].keys == ["a", "l"])
            #expect(left.records[1] == "NOT_FOUND: Record not found")
            #expect(try await world.indexes() == [])
        }
    }

    @Test("An operator's deletions send no pushes")
    func untold() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let save = batch(["p", "q"].map { create($0, ["name": text("Gala")]) })
            _ = try await world.call("public/records/modify", save, as: alice)
            let made = try await world.subscribe(
                "public", [subscription("s", on: ["create", "update", "delete"])], as: bob)
            #expect(made.items("subscriptions") == ["ok"])
            _ = try await world.modify("public", [forceDelete("p")], as: alice)
            #expect(try await world.schema("delete", ["type": "Party", "field": "name"]).status == 200)
            #expect(try await world.schema("delete", ["type": "Party"]).status == 200)
            let key = DatabaseKey(container: "iCloud.test", environment: .development, owner: nil)
            let told = try await world.service.databases.using(key) { database in
                try await database.records.notifications(
                    of: bob.recordName, after: 0, limit: 10, bytes: .max)
            }
            #expect(told.notifications.count == 1)
        }
    }

    @Test("A deployment without an index drops it in production: at once in public, within a day in private")
    func deployed() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.importSchema(
                schemaText("name STRING SORTABLE", "GRANT CREATE TO \"_icloud\""))
            _ = try await world.schema("deploy")
            for database in ["public", "private"] {
                let saved = try await world.call(
                    "\(database)/records/modify", batch([create("p", ["name": text("Gala")])]), as: alice,
                    environment: "production")
                #expect(saved.records == ["ok"])
            }
            let index: JSON = ["type": "Party", "field": "name", "index": "sortable", "remove": true]
            #expect(try await world.schema("index", index).changes.count == 1)
            let owner = alice.recordName
            #expect(try await world.indexes(in: .production).count == 1)
            #expect(try await world.indexes(in: .production, of: owner).count == 1)
            #expect(try await world.schema("deploy").changes == ["~ Party.name STRING SORTABLE -> STRING"])
            #expect(try await world.indexes(in: .production) == [])
            #expect(try await world.indexes(in: .production, of: owner).count == 1)
            world.clock.advance(bySeconds: 86_400)
            #expect(try await world.indexes(in: .production, of: owner) == [])
            let kept = try await world.call(
                "private/records/lookup", names("p"), as: alice, environment: "production")
            #expect(kept.json["records"][0]["fields"] == ["name": text("Gala")])
        }
    }
}

extension ServerWorld {
    /// The indexes of record types in a database, including tables that serve as indexes.
    fileprivate func indexes(
        in environment: CloudEnvironment = .development, of owner: String? = nil
    ) async throws -> [String] {
        let key = DatabaseKey(container: "iCloud.test", environment: environment, owner: owner)
        return try await service.databases.using(key) { database in
            try await (database.records as? SQLiteStore)?.indexNames() ?? []
        }
    }
}
