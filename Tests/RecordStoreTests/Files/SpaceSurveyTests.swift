import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("The space of record types in a file")
struct SpaceSurveyTests {
    @Test("Indexes on numbers, lists, places and words take up space, and lose it all when they are dropped")
    func kinds() async throws {
        try await withWorld(.sqlite) { world in
            let fields: Fields = [
                "n": number(5), "tags": texts("x", "y"), "at": place(1, 2), "title": text("Tea time"),
            ]
            world.declare { schema in
                var type = TypeSchema(name: "Party", systemIndexes: [.modifiedTimestamp: [.queryable]])
                type.fields = [
                    "n": FieldSchema(type: .scalar(.int64), indexes: [.queryable, .sortable]),
                    "tags": FieldSchema(type: .list(.string), indexes: .queryable),
                    "at": FieldSchema(type: .scalar(.location), indexes: .queryable),
                    "title": FieldSchema(type: .scalar(.string), indexes: .searchable),
                ]
                schema.types["Party"] = type
            }
            try await world.create("a", fields)
            var space = try #require(try await world.store.space(ofTypes: ["Party"])?["Party"])
            for name in ["n", "tags", "at", "modifiedTimestamp"] {
                #expect(space.indexBytes(of: name)?.value ?? 0 > 0, "\(name)")
            }
            #expect(space.indexBytes(of: "title") == SpaceFigure(0))
            #expect(space.wordBytes?.value ?? 0 > 0)
            let words = space.wordBytes
            #expect(space.freed(keeping: .queryable, of: "n", in: party(world)) == SpaceFigure(0))
            #expect(space.freed(keeping: [], of: "n", in: party(world)) == space.indexBytes(of: "n"))
            #expect(space.freed(keeping: [], of: "title", in: party(world)) == words)
            world.declare { schema in
                schema.types["Party"]?.systemIndexes = [:]
                for name in fields.names { schema.types["Party"]?.fields[name]?.indexes = [] }
            }
            #expect(try await world.store.dropIndexes(notIn: world.schema) ?? 0 > 0)
            space = try #require(try await world.store.space(ofTypes: ["Party"])?["Party"])
            #expect(space.indexes == [])
        }
    }

    private func party(_ world: World) -> TypeSchema { world.schema.types["Party"] ?? TypeSchema(name: "") }

    @Test("A field that loses one of two indexes with the same entries keeps them, and frees nothing")
    func sameEntries() async throws {
        try await withWorld(.sqlite) { world in
            world.declare { schema in
                schema.types["Party"] = TypeSchema(name: "Party", systemIndexes: [:])
                schema.types["Party"]?.fields["n"] = FieldSchema(
                    type: .scalar(.int64), indexes: [.queryable, .sortable])
            }
            try await world.create("a", ["n": number(5)])
            let before = try await world.store.space(ofTypes: ["Party"])?["Party"]?.indexBytes(of: "n")
            world.declare { $0.types["Party"]?.fields["n"]?.indexes = .queryable }
            #expect(try await world.store.dropIndexes(notIn: world.schema) == 0)
            let after = try await world.store.space(ofTypes: ["Party"])?["Party"]?.indexBytes(of: "n")
            #expect(before != nil && before == after)
            #expect(try await world.find(field("n", .equals, number(5))) == ["a"])
        }
    }

    @Test("The space of many records is estimated from some of them, close to the truth")
    func estimate() async throws {
        try await withWorld(.sqlite) { world in
            let name = String(repeating: "n", count: 300)
            world.declare { schema in
                schema.types["Party"] = TypeSchema(name: "Party", systemIndexes: [:])
                for index in 0..<20 {
                    schema.types["Party"]?.fields["f\(index)"] = FieldSchema(
                        type: .scalar(.string), indexes: .queryable)
                }
            }
            for batch in 0..<15 {
                try await world.commit(
                    (0..<200).map { index in
                        let value = text("\(index * 7919 % 200) \(batch) \(name)")
                        return create("r\(batch)-\(index)", ["f0": value, "f1": value])
                    })
            }
            let space = try #require(try await world.store.space(ofTypes: ["Party"])?["Party"])
            #expect(space.records.isEstimate && space.recordBytes.isEstimate)
            #expect((2000...4500).contains(space.records.value), "\(space)")
            let usage = try await world.store.usage()
            #expect(abs(space.recordBytes.value - usage.recordBytes) < usage.recordBytes / 2, "\(space)")
            // Each entry has more than 300 bytes.
            let index = try #require(space.indexBytes(of: "f0"))
            #expect(index.isEstimate && (700_000...3_000_000).contains(index.value), "\(index)")
        }
    }
}
