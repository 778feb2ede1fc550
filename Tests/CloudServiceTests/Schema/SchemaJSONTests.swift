import CloudletServer
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Schemas as JSON", .timeLimit(.minutes(30)))
struct SchemaJSONTests {
    private static let types: JSON = [
        [
            "name": "Party",
            "fields": [
                field("___createTime", "TIMESTAMP", system: true),
                field("___createdBy", "REFERENCE", system: true),
                field("___etag", "STRING", system: true),
                field("___modTime", "TIMESTAMP", system: true),
                field("___modifiedBy", "REFERENCE", system: true),
                field("___recordID", "REFERENCE", system: true, queryable: true),
                field("name", "STRING", queryable: true, sortable: true, searchable: true),
                field("tags", "LIST<STRING>"),
            ],
            "grants": [
                ["role": "_world", "permissions": ["READ"]],
                ["role": "Editor", "permissions": ["CREATE", "WRITE"]],
            ],
        ],
        [
            "name": "Users",
            "fields": [
                field("___createTime", "TIMESTAMP", system: true),
                field("___createdBy", "REFERENCE", system: true),
                field("___etag", "STRING", system: true),
                field("___modTime", "TIMESTAMP", system: true),
                field("___modifiedBy", "REFERENCE", system: true),
                field("___recordID", "REFERENCE", system: true),
                field("roles", "LIST<INT64>"),
            ],
            "grants": [
                ["role": "_creator", "permissions": ["WRITE"]],
                ["role": "_world", "permissions": ["READ"]],
            ],
        ],
    ]

    private static func field(
        _ name: String, _ type: String, system: Bool = false, queryable: Bool = false, sortable: Bool = false,
        searchable: Bool = false
    ) -> JSON {
        [
            "name": .string(name), "type": .string(type), "isSystem": .bool(system),
            "queryable": .bool(queryable), "sortable": .bool(sortable), "searchable": .bool(searchable),
        ]
    }

    private static let text = schemaText(
        "\"___recordID\" REFERENCE QUERYABLE", "name STRING QUERYABLE SORTABLE SEARCHABLE",
        "tags LIST<STRING>", "GRANT READ TO \"_world\"", "GRANT CREATE, WRITE TO Editor", roles: ["Editor"])

    @Test("Everybody can read a schema as JSON on an open server, and the operator with the key")
    func told() async throws {
        try await serving { world in
            try await world.createContainer()
            #expect(try await world.importSchema(Self.text).status == 200)
            let everybody = try await world.send("GET", "/dev/schema?container=iCloud.test")
            #expect(everybody.json["environment"] == "development")
            #expect(everybody.json["types"] == Self.types)
            let key = try await world.operate("GET", "containers/iCloud.test/development/schema")
            #expect(key.json["types"] == Self.types)
            let production = try await world.send(
                "GET", "/dev/schema?container=iCloud.test&environment=production")
            #expect(production.json["types"].texts("name") == ["Users"])
        }
    }

    @Test("A closed server shows no schema; unknown containers and environments are refused")
    func refused() async throws {
        try await withServer(.loopback, { $0.access = .closed }) { world in
            let reply = try await world.send("GET", "/dev/schema?container=iCloud.test")
            #expect(reply.status == 403)
            #expect(reply.json["types"] == .null)
        }
        try await withServer(.loopback) { world in
            let nowhere = try await world.send("GET", "/dev/schema?container=iCloud.nowhere")
            #expect(nowhere.json["serverErrorCode"] == "NOT_FOUND")
            let nothing = try await world.send("GET", "/dev/schema?container=iCloud.test&environment=x")
            #expect(nothing.failure == "400 BAD_REQUEST: unknown environment")
        }
    }
}
