import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Schemas by the operator", .timeLimit(.minutes(30)))
struct SchemaOperatorTests {
    private static let full = """
        DEFINE SCHEMA

            CREATE ROLE Editor;

            RECORD TYPE Book (
                "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE QUERYABLE,
                cover           ASSET,
                "grant"         STRING,
                note            ENCRYPTED STRING,
                pages           NUMBER PREFERRED AS INT64,
                rating          NUMBER,
                tags            LIST<STRING> QUERYABLE,
                title           STRING QUERYABLE SEARCHABLE SORTABLE,
                GRANT CREATE TO "_icloud",
                GRANT READ TO "_world",
                GRANT READ, WRITE TO Editor
            );

            RECORD TYPE Users (
                "___createTime" TIMESTAMP,
                "___createdBy"  REFERENCE,
                "___etag"       STRING,
                "___modTime"    TIMESTAMP,
                "___modifiedBy" REFERENCE,
                "___recordID"   REFERENCE,
                roles           LIST<INT64>,
                GRANT WRITE TO "_creator",
                GRANT READ TO "_world"
            );

        """

    @Test("A new schema has only the user type; an imported schema is exported byte for byte")
    func roundTrip() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            let first = try await world.exported()
            #expect(first.contains("RECORD TYPE Users ("))
            #expect(!Self.full.isEmpty && first == "DEFINE SCHEMA\n\n" + Self.full.components("Users"))
            _ = try await world.importSchema(Self.full)
            #expect(try await world.exported() == Self.full)
            let edited = Self.full.replacingOccurrences(
                of: "tags            LIST<STRING> QUERYABLE", with: "tags            LIST<STRING>")
            let change = try await world.importSchema(edited)
            #expect(change.changes == ["~ Book.tags LIST<STRING> QUERYABLE -> LIST<STRING>"])
            #expect(try await world.exported() == edited)
            #expect(try await world.importSchema(edited).changes == [])
            #expect(try await world.exported("production") == first)
        }
    }

    @Test("An import that would retype a field or remove a deployed part changes nothing and names the line")
    func refusedImport() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            _ = try await world.importSchema(schemaText("name STRING QUERYABLE", "age INT64"))
            let before = try await world.exported()
            let retyped = try await world.importSchema(schemaText("name STRING", "age DOUBLE"))
            #expect(
                retyped.failure
                    == "400 BAD_REQUEST: Field 'age' of type 'Party' is INT64 in development and cannot "
                    + "become DOUBLE, at line 2, column 1.")
            #expect(try await world.exported() == before)
            // Only development has the field, so it can be removed and added with another type.
            let dropped = try await world.importSchema(schemaText("name STRING"))
            #expect(dropped.changes == ["- Party.age INT64", "~ Party.name STRING QUERYABLE -> STRING"])
            _ = try await world.importSchema(schemaText("name STRING", "age DOUBLE"))
            _ = try await world.schema("deploy")
            let kept = try await world.exported()
            let lost = try await world.importSchema(schemaText("name STRING"))
            #expect(
                lost.failure
                    == "400 BAD_REQUEST: Field 'age' of type 'Party' is in production and cannot be removed, "
                    + "at line 1, column 27.")
            let gone = try await world.importSchema(schemaText(type: "Other"))
            #expect(gone.failure.contains("Record type 'Party' is in production and cannot be removed"))
            let broken = try await world.importSchema("DEFINE SCHEMA RECORD TIPE")
            #expect(broken.failure.contains("line 1, column 22"))
            #expect(try await world.exported() == kept)
            let nowhere = try await world.operate(
                "POST", "containers/iCloud.none/development/schema/import", ["schema": "DEFINE SCHEMA"])
            #expect(nowhere.failure == "404 NOT_FOUND: the container is not known")
        }
    }

    @Test("Deploying adds the parts of development; production accepts these and refuses others")
    func deployed() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let save = batch([create("p", ["name": text("Gala")])])
            _ = try await world.call("public/records/modify", save, as: alice)
            func inProduction(_ body: JSON) async throws -> [String] {
                try await world.call(
                    "public/records/modify", body, as: alice, environment: "production"
                ).records
            }
            #expect(
                try await inProduction(save) == [
                    "BAD_REQUEST: Cannot create new type Party in production schema"
                ])
            let trial = try await world.schema("deploy", ["dryRun": true])
            #expect(trial.changes.first?.hasPrefix("+ RECORD TYPE Party GRANT WRITE TO _creator") == true)
            #expect(trial.changes.last == "+ Party.name STRING QUERYABLE SEARCHABLE SORTABLE")
            #expect(try await inProduction(save).first?.hasPrefix("BAD_REQUEST") == true)
            #expect(try await world.schema("deploy").changes == trial.changes)
            #expect(try await inProduction(save) == ["ok"])
            let more = batch([create("q", ["mood": text("glad")])])
            #expect(
                try await inProduction(more) == [
                    "BAD_REQUEST: Cannot create or modify field 'mood' in record 'Party' in production schema"
                ])
            _ = try await world.call("public/records/modify", more, as: alice)
            #expect(
                try await world.schema("deploy").changes == [
                    "+ Party.mood STRING QUERYABLE SEARCHABLE SORTABLE"
                ])
            #expect(try await inProduction(more) == ["ok"])
            #expect(try await world.schema("deploy").changes == [])
        }
    }

    @Test("The first value settles the type of a NUMBER field, which cannot be deployed before")
    func numbers() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.importSchema(schemaText("size NUMBER", "GRANT CREATE TO \"_icloud\""))
            let early = try await world.schema("deploy")
            #expect(
                early.failure.contains("Field 'size' of type 'Party' is a NUMBER whose type is not settled"))
            #expect(early.failure.contains("at line 10"))
            let save = batch([create("p", ["size": number(3)])])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            #expect(try await world.exported().contains("size            INT64,"))
            #expect(try await world.schema("deploy").status == 200)
            let other = batch([create("q", ["size": ["value": 0.5, "type": "DOUBLE"]])])
            #expect(
                try await world.call("public/records/modify", other, as: alice).records == [
                    "BAD_REQUEST: invalid attempt to set value type DOUBLE for field 'size' for type "
                        + "'Party', defined to be: INT64"
                ])
        }
    }

    @Test("A query without its index fails with the command that adds it, after which the query works")
    func mended() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.importSchema(schemaText("name STRING", "GRANT CREATE TO \"_icloud\""))
            let save = batch([create("p", ["name": text("Gala")])])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            let filter: JSON = ["fieldName": "name", "comparator": "EQUALS", "fieldValue": text("Gala")]
            let query: JSON = ["query": ["recordType": "Party", "filterBy": [filter]]]
            // A type with a grant for creation only can be read by nobody.
            let hidden = try await world.call("public/records/query", query, as: alice)
            #expect(hidden.failure == "403 ACCESS_DENIED: READ operation not permitted")
            _ = try await world.importSchema(
                schemaText("name STRING", "GRANT CREATE TO \"_icloud\"", "GRANT READ TO \"_world\""))
            let refused = try await world.call(
                "public/records/query", query, headers: ["X-Cloudlet-Details": "1"])
            #expect(refused.failure == "400 BAD_REQUEST: Field 'name' is not marked queryable")
            let step = refused.json["cloudlet"]["nextStep"].text
            #expect(step?.hasSuffix("cloudlet schema index iCloud.test Party name queryable") == true)
            let change = try await world.schema(
                "index", ["type": "Party", "field": "name", "index": "queryable"])
            #expect(change.changes == ["~ Party.name STRING -> STRING QUERYABLE"])
            let found = try await world.call("public/records/query", query)
            #expect(found.json["records"].texts("recordName") == ["p"])
            let wrong = try await world.schema(
                "index", ["type": "Party", "field": "nome", "index": "queryable"])
            #expect(wrong.failure == "404 NOT_FOUND: Did not find field: 'nome' in type: 'Party'")
        }
    }

    @Test("A query of a whole type needs the record name to be queryable")
    func wholeType() async throws {
        try await withServer(.loopback) { world in
            try await world.createContainer()
            _ = try await world.importSchema(schemaText("name STRING", "GRANT READ TO \"_world\""))
            let all: JSON = ["query": ["recordType": "Party"]]
            #expect(
                try await world.call("public/records/query", all).failure
                    == "400 BAD_REQUEST: Field 'recordName' is not marked queryable")
            _ = try await world.schema(
                "index", ["type": "Party", "field": "recordName", "index": "queryable"])
            #expect(try await world.call("public/records/query", all).json["records"] == [])
        }
    }

    @Test("A field can be removed in development, added with another type, and queried by it")
    func retyped() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let wrong: JSON = ["starts": text("soon"), "tags": text("red"), "name": text("Gala")]
            _ = try await world.modify("public", [create("old", wrong)], as: alice)
            let all = "___recordID".quotedName + " REFERENCE QUERYABLE"
            let grants = ["GRANT READ TO \("_world".quotedName)", "GRANT CREATE TO \("_icloud".quotedName)"]
            let import1 = try await world.importSchema(schemaText(all, "name STRING", grants[0], grants[1]))
            #expect(import1.changes.contains("- Party.starts STRING QUERYABLE SEARCHABLE SORTABLE"))
            let mended: JSON = [
                "starts": ["value": 1_401_710_400_000, "type": "TIMESTAMP"], "name": text("Gala"),
                "tags": ["value": ["red", "blue"], "type": "STRING_LIST"],
            ]
            let saved = try await world.modify("public", [create("new", mended)], as: alice)
            #expect(saved.records == ["ok"])
            for filter: JSON in [
                [
                    "fieldName": "starts", "comparator": "EQUALS",
                    "fieldValue": ["value": 1_401_710_400_000, "type": "TIMESTAMP"],
                ],
                ["fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": text("blue")],
            ] {
                let query: JSON = ["query": ["recordType": "Party", "filterBy": [filter]]]
                let found = try await world.call("public/records/query", query)
                #expect(found.json["records"].texts("recordName") == ["new"])
            }
            // The import dropped the index of `name`. Added again, it contains both records.
            let byName: JSON = [
                "fieldName": "name", "comparator": "EQUALS", "fieldValue": text("Gala"),
            ]
            let query: JSON = ["query": ["recordType": "Party", "filterBy": [byName]]]
            #expect(try await world.call("public/records/query", query).status == 400)
            _ = try await world.schema("index", ["type": "Party", "field": "name", "index": "queryable"])
            let found = try await world.call("public/records/query", query)
            #expect(found.json["records"].elements.count == 2)
        }
    }

    @Test("A reset gives development the schema of production, and deletes its data")
    func reset() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("p", ["a": number(1)])], as: alice)
            _ = try await world.schema("deploy")
            _ = try await world.modify("private", [create("q", ["b": number(1)])], as: alice)
            _ = try await world.call(
                "public/records/modify", batch([create("kept", ["a": number(1)])]), as: alice,
                environment: "production")
            #expect(try await world.schema("reset").changes == ["- Party.b INT64 QUERYABLE SORTABLE"])
            #expect(try await world.exported() == world.exported("production"))
            let missing = ["NOT_FOUND: Record not found"]
            #expect(try await world.lookup("public", "p", as: alice).records == missing)
            #expect(try await world.lookup("private", "q", as: alice).records == missing)
            let kept = try await world.call(
                "public/records/lookup", names("kept"), as: alice, environment: "production")
            #expect(kept.records == ["ok"])
            let text = batch([create("p", ["b": text("now a text")])])
            #expect(try await world.call("public/records/modify", text, as: alice).records == ["ok"])
        }
    }
}

extension String {
    fileprivate var quotedName: String { "\"\(self)\"" }

    /// The block of an exported schema that defines a type.
    fileprivate func components(_ type: String) -> String {
        guard let start = range(of: "    RECORD TYPE \(type) (") else { return "" }
        return String(self[start.lowerBound...])
    }
}
