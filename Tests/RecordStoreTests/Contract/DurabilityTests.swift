import Foundation
import RecordStore
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Contract: lasting")
struct DurabilityTests {
    private let rich: Fields = [
        "title": text("Tea time"), "n": number(5), "at": place(1, 2), "tags": texts("x", "y"),
        "file": file("A"),
        "to": link("root", .deleteSelf),
    ]

    @Test(
        "A commit is applied in one transaction; when it returns, its changes are on disk",
        arguments: StoreKind.lasting)
    func reopen(kind: StoreKind) async throws {
        try await withFolder { folder in
            let first = World(store: try kind.open(in: folder))
            _ = try await first.store.createZone(named: "Z")
            try await first.create("root", zone: "Z")
            try await first.create("a", rich, zone: "Z")
            try await first.commit([create("gone"), create("kept")], at: 50_000)
            try await first.commit([delete("gone")])
            let state = try await first.state()
            let token = try await first.store.changes(ChangesRequest(zone: "Z", limit: 1)).token
            // The store is not closed: acknowledged changes are in the file already.
            let other = World(
                store: try kind.open(in: folder, identity: 99), schema: first.schema)
            #expect(try await other.state() == state)
            #expect(try await other.changes(in: "Z", since: token).map(\.brief) == ["a"])
            #expect(try await other.find(field("at", .near, place(1, 2), within: 5), zone: "Z") == ["a"])
            #expect(try await other.find(field("title", .containsAllTokens, text("TEA")), zone: "Z") == ["a"])
            #expect(try await other.find(field("tags", .listContains, text("y")), zone: "Z") == ["a"])
            try await first.store.close()
            // Numbers and times continue after the last ones.
            let next = try await other.create("next", at: 10)
            #expect(next.sequence == 7)
            #expect(next.created.at.milliseconds == 51_000)
            #expect(try await other.outcome([delete("root")], zone: "Z") == ["-root"])
            #expect(try await other.names(in: "Z") == [])
            try await other.finish()
        }
    }

    @Test(
        "An index added to a field after records were saved is filled before a query uses it",
        arguments: StoreKind.allCases)
    func lateIndexes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let indexes = rich.map { ($0, Records.IndexSet.automatic(for: $1.value.type)) }
            world.declare { schema in
                var type = TypeSchema(name: "Party")
                for (name, field) in rich {
                    type.fields[name] = FieldSchema(type: field.value.type, indexes: [])
                }
                schema.types["Party"] = type
            }
            try await world.create("a", rich)
            for index in 0..<120 { try await world.create("r\(index)", ["n": number(Int64(index + 100))]) }
            #expect(
                world.refusal(field("n", .equals, number(5)))?.reason == "Field 'n' is not marked queryable")
            world.declare { schema in
                for (name, index) in indexes { schema.types["Party"]?.fields[name]?.indexes = index }
            }
            let filters = [
                field("title", .equals, text("Tea time")), field("title", .containsAllTokens, text("tea")),
                Filter(nil, .containsAllTokens, .string("time")), field("n", .lessThan, number(50)),
                field("at", .near, place(1, 2), within: 5), field("tags", .listContains, text("x")),
                field("to", .equals, link("root")),
            ]
            for filter in filters {
                #expect(try await world.find(filter) == ["a"])
                if let inspected = world.store as? any InspectedStore {
                    #expect(try await !inspected.scansType(world.plan([filter])))
                }
            }
            #expect(try await world.find(sort: [ascending("n")], page: 100).first == "a")
            #expect(try await world.find(field("n", .greaterThanOrEquals, number(150)), page: 50).count == 70)
        }
    }

    @Test("A second index added to a field is filled too", arguments: StoreKind.allCases)
    func furtherIndexes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let stages: [Records.IndexSet] = [
                .searchable, [.searchable, .queryable], [.searchable, .queryable, .sortable],
            ]
            world.declare { schema in
                let title = FieldSchema(type: .scalar(.string), indexes: stages[0])
                let note = FieldSchema(type: .scalar(.string), indexes: .queryable)
                schema.types["Party"] = TypeSchema(name: "Party", fields: ["title": title, "note": note])
            }
            try await world.create("a", ["title": text("Tea"), "note": text("hot")])
            #expect(try await world.find(field("title", .containsAllTokens, text("tea"))) == ["a"])
            world.declare { $0.types["Party"]?.fields["title"]?.indexes = stages[1] }
            #expect(try await world.find(field("title", .equals, text("Tea"))) == ["a"])
            world.declare { $0.types["Party"]?.fields["title"]?.indexes = stages[2] }
            world.declare { $0.types["Party"]?.fields["note"]?.indexes = [.queryable, .searchable] }
            #expect(try await world.find(Filter(nil, .containsAllTokens, .string("tea hot"))) == ["a"])
            try await world.create("b", ["title": text("Hot tea")])
            #expect(try await world.find(Filter(nil, .containsAllTokens, .string("tea hot"))) == ["a", "b"])
        }
    }

    @Test("Encrypted fields are stored, and never indexed", arguments: StoreKind.allCases)
    func encrypted(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("a", ["secret": Field(.string("word"), isEncrypted: true)])
            #expect(try await world.fetch("a")?.fields["secret"] == Field(.string("word"), isEncrypted: true))
            #expect(try await world.find(Filter(nil, .containsAllTokens, .string("word"))) == [])
        }
    }

    @Test("Writes that arrive together each get their own result", arguments: StoreKind.lasting)
    func together(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let outcomes = try await withThrowingTaskGroup(of: String.self) { group in
                for index in 0..<40 {
                    group.addTask { try await world.outcome([create("r\(index % 20)")]).joined() }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            let expected = (0..<20).flatMap { ["r\($0)", "r\($0): conflict"] }.sorted()
            #expect(outcomes == expected)
            #expect(try await world.names().count == 20)
        }
    }
}
