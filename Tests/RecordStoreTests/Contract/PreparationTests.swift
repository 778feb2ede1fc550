import RecordStore
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Contract: many fields")
struct PreparationTests {
    func fields(_ range: Range<Int>) -> Fields {
        var fields = Fields()
        for number in range { fields["f\(number)"] = .init(.int64(Int64(number))) }
        return fields
    }

    func declare(_ count: Int, in world: World) {
        let fields = fields(0..<count)
        world.declare { schema in
            var type = schema.types["Party"] ?? TypeSchema(name: "Party")
            for (name, field) in fields {
                type.fields[name] = FieldSchema(type: field.value.type, indexes: [.queryable, .sortable])
            }
            schema.types["Party"] = type
        }
    }

    @Test(
        """
        The tables of types with many fields are prepared in several transactions; their records are saved \
        and found
        """,
        arguments: StoreKind.allCases)
    func wide(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit([create("old", ["f0": number(0)]), create("other", type: "Clown")])
            declare(130, in: world)
            try await world.store.prepare(Array(world.schema.types.values))
            try await world.create("new", fields(0..<130))
            #expect(try await world.find(Filter(.field("f129"), .equals, .int64(129))) == ["new"])
            #expect(try await world.find(Filter(.field("f0"), .equals, .int64(0))) == ["old", "new"])
            #expect(try await world.find(sort: [Sort(.field("f7"))]) == ["old", "new"])
            // The same without preparation, next to a record that is refused.
            declare(260, in: world)
            let outcome = try await world.outcome([
                create("more", fields(130..<260)), create("new"), create("plain"),
            ])
            #expect(outcome == ["more", "new: conflict", "plain"])
            #expect(try await world.find(Filter(.field("f259"), .equals, .int64(259))) == ["more"])
            let undone = try await world.outcome(
                [create("wide", type: "Tent", fields(0..<60)), create("new")], atomic: false)
            #expect(undone == ["wide", "new: conflict"])
        }
    }

    @Test(
        "A query for an index that many fields lack waits until they have it", arguments: StoreKind.lasting)
    func asked(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.create("old", ["f0": number(0)])
            declare(130, in: world)
            let sorted = try await world.find(
                Filter(.field("f129"), .greaterThan, .int64(0)), sort: [Sort(.field("f0"))])
            #expect(sorted == [])
            try await world.create("new", fields(0..<130))
            #expect(try await world.find(Filter(.field("f129"), .greaterThan, .int64(0))) == ["new"])
        }
    }
}
