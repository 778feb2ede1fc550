import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Contract: many fields")
struct PreparationTests {
    private func fields(_ range: Range<Int>) -> Fields {
        var fields = Fields()
        for number in range { fields["f\(number)"] = .init(.int64(Int64(number))) }
        return fields
    }

    private func declare(_ count: Int, in world: World) {
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

    @Test("A query for an index that many fields lack waits until they have it")
    func asked() async throws {
        try await withWorld(.sqlite) { world in
            try await world.create("old", ["f0": number(0)])
            declare(130, in: world)
            let sorted = try await world.find(
                Filter(.field("f129"), .greaterThan, .int64(0)), sort: [Sort(.field("f0"))])
            #expect(sorted == [])
            try await world.create("new", fields(0..<130))
            #expect(try await world.find(Filter(.field("f129"), .greaterThan, .int64(0))) == ["new"])
        }
    }

    /// A store whose tables have at most 200 columns.
    private func narrow(_ folder: URL) async throws -> any RecordStore {
        let store = try StoreKind.sqlite.open(in: folder)
        try await (store as? SQLiteStore)?.setColumnLimit(200)
        return store
    }

    @Test("A type with more fields than a table has columns is saved with those that find room")
    func crowded() async throws {
        try await withFolder { folder in
            var world = World(store: try await narrow(folder))
            declare(250, in: world)
            let schema = world.schema
            try await world.create("a", fields(0..<3))
            let most = try await world.save(create("b", fields(3..<194)))
            let crowd = try await world.commit([
                create("c", fields(194..<196)), create("d", fields(0..<9)), delete("a"),
                update(most, ["f5": number(6)]),
            ])
            #expect(crowd.map(\.brief) == ["c: limitExceeded", "d", "-a", "b"])
            #expect(crowd[0].error?.nextStep?.contains("cloudlet schema delete") == true)
            #expect(try await world.find(Filter(.field("f5"), .equals, .int64(6))) == ["b"])
            #expect(try await world.find(Filter(.field("f240"), .equals, .int64(6))) == [])
            // The same after the file is opened again.
            try await world.finish()
            world = World(store: try await narrow(folder), schema: schema, time: 100_000)
            let again = try await world.outcome([
                create("e", fields(0..<9)), create("f", fields(200..<203)),
            ])
            #expect(again == ["e", "f: limitExceeded"])
            // The remedy: an operator removes fields.
            world.declare { schema in
                for number in 3..<250 { schema.types["Party"]?.fields["f\(number)"] = nil }
            }
            try await world.store.dropIndexes(notIn: world.schema)
            #expect(try await world.outcome([create("g", ["late": number(1)])]) == ["g"])
            try await world.finish()
        }
    }
}
