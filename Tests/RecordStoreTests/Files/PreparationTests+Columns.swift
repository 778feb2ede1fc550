import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import Testing

@testable import TestKit

extension PreparationTests {
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
