import CloudletServer
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("The parts of a schema that a test run needs", .timeLimit(.minutes(30)))
struct SchemaUsageTests {
    private static func isFiltered(
        _ field: String, _ value: JSON, by comparator: String = "EQUALS"
    ) -> JSON {
        ["fieldName": .string(field), "comparator": .string(comparator), "fieldValue": value]
    }

    @Test("Queries are logged without their values, which may be as large as a request")
    func values() {
        var usage = SchemaUsage()
        let value = String(repeating: "secret", count: 10)
        let list = FieldValue.list(.string, [.string(value)])
        usage.add(
            Query(
                recordType: "Party",
                filters: [
                    Filter(.field("name"), .equals, .string(value)), Filter(.field("name"), .isIn, list),
                    Filter(.field("host"), .equals, .reference(Reference(recordName: value))),
                    Filter(.field("code"), .equals, .bytes(Array(value.utf8))),
                ]))
        #expect(!usage.isEmpty)
        #expect(!String(reflecting: usage).contains("secret"))
    }

    /// Saves and queries records as an app does: parties with names, sizes and places, and clowns.
    private static func use(_ world: ServerWorld) async throws {
        let alice = try await world.signIn("alice")
        let place: JSON = ["value": ["latitude": 1, "longitude": 2], "type": "LOCATION"]
        let party = create("p", ["name": text("Gala"), "size": number(5), "at": place])
        let clown = create("c", type: "Clown", ["name": text("Bozo")])
        _ = try await world.modify("public", [party], as: alice)
        _ = try await world.modify("private", [clown], as: alice)
        let near: JSON = [
            "fieldName": "at", "relativeLocation": ["latitude": 1, "longitude": 2], "ascending": true,
        ]
        let queries: [JSON] = [
            [
                "recordType": "Party",
                "filterBy": [
                    Self.isFiltered("name", text("Gala")),
                    Self.isFiltered("size", number(1), by: "GREATER_THAN"),
                ],
            ],
            ["recordType": "Party", "sortBy": [near]],
            [
                "recordType": "Party",
                "filterBy": [Self.isFiltered("name", text("gala"), by: "CONTAINS_ALL_TOKENS")],
            ],
        ]
        for query in queries {
            let asked = try await world.call("public/records/query", ["query": query])
            #expect(asked.json["records"].texts("recordName") == ["p"], "\(asked.failure)")
        }
    }

    @Test("Missing types, fields and indexes are named, and the completed schema lacks none")
    func missed() async throws {
        try await withServer(.loopback) { world in
            try await Self.use(world)
            let known = schemaText("name STRING QUERYABLE", "at STRING")
            let checked = try await world.schema("check", ["schema": .string(known)])
            #expect(
                checked.json["gaps"].texts("reason") == [
                    "Record type 'Clown' was used and is missing",
                    "Field 'name' of type 'Clown' was used as STRING and is missing",
                    "Field 'at' of type 'Party' was used as LOCATION and is STRING",
                    "Field 'name' of type 'Party' was queried and is not marked searchable",
                    "Field 'recordName' of type 'Party' was queried and is not marked queryable",
                    "Field 'size' of type 'Party' was queried and is not marked sortable",
                    "Field 'size' of type 'Party' was used as INT64 and is missing",
                ])
            #expect(
                checked.json["gaps"][3]["command"]
                    == "cloudlet schema index iCloud.test Party name searchable")
            #expect(checked.json["gaps"][2]["isMended"] == false)
            let mended = try #require(checked.json["mended"].text)
            let again = try await world.schema("check", ["schema": .string(mended)])
            #expect(again.json["gaps"].texts("field") == ["at"])
            let whole = mended.replacing(/at +STRING/, with: "at LOCATION QUERYABLE")
            #expect(try await world.schema("check", ["schema": .string(whole)]).json["gaps"] == [])
            #expect(
                try await world.schema("check", ["schema": .string(try await world.exported())]).json["gaps"]
                    == [])
        }
    }

    @Test("Refused calls, other containers and other environments cause no gaps")
    func refused() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let nothing = "DEFINE SCHEMA"
            let silent = try await world.schema("check", ["schema": .string(nothing)])
            #expect(silent.failure.hasPrefix("404 NOT_FOUND: nothing was saved or queried in iCloud.test"))
            _ = try await world.modify("public", [create("p")], as: alice)
            let clash = batch([create("p", ["late": number(1)])])
            #expect(try await world.call("public/records/modify", clash, as: alice).records != ["ok"])
            let asked: JSON = [
                "query": ["recordType": "Party", "filterBy": [Self.isFiltered("late", number(1))]]
            ]
            #expect(try await world.call("public/records/query", asked).status == 400)
            let checked = try await world.schema("check", ["schema": .string(nothing)])
            #expect(checked.json["gaps"].texts("reason") == ["Record type 'Party' was used and is missing"])
            let elsewhere = try await world.operate(
                "POST", "containers/iCloud.test/production/schema/check", ["schema": .string(nothing)])
            #expect(elsewhere.failure.hasPrefix("404 NOT_FOUND"))
            _ = try await world.operate("POST", "containers/iCloud.test/delete")
            try await world.createContainer()
            let successor = try await world.schema("check", ["schema": .string(nothing)])
            #expect(successor.failure.hasPrefix("404 NOT_FOUND"))
        }
    }

    @Test("A NUMBER field that is not settled accepts every number, and no other value")
    func numbers() {
        var usage = SchemaUsage()
        let fields: Fields = [
            "a": Field(.double(0.5)), "b": Field(.string("x")), "c": Field(.int64(1)),
        ]
        usage.add([(type: "T", fields: fields)])
        let real = Schema(types: [
            "T": TypeSchema(
                name: "T",
                fields: [
                    "a": FieldSchema(type: .scalar(.double), indexes: []),
                    "b": FieldSchema(type: .scalar(.string), indexes: []),
                    "c": FieldSchema(type: .scalar(.int64), indexes: []),
                ])
        ])
        var open = real
        for name in ["a", "b", "c"] {
            open.types["T"]?.fields[name] = FieldSchema(
                type: .scalar(.double), indexes: [], number: .unsettled)
        }
        let gaps = usage.gaps(in: open, real: real)
        #expect(gaps.list.map(\.field) == ["b"])
        #expect(gaps.schema == open)
    }
}
