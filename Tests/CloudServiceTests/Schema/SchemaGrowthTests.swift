import CloudletServer
import Directory
import Foundation
import RecordStore
import Records
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Growth of schemas", .timeLimit(.minutes(30)))
struct SchemaGrowthTests {
    private static func numbers(_ range: Range<Int>, _ prefix: String = "f") -> JSON {
        .object(Dictionary(uniqueKeysWithValues: range.map { ("\(prefix)\($0)", number(1)) }))
    }

    private func limited(_ scenario: (ServerWorld, Person) async throws -> Void) async throws {
        try await withServer(
            .loopback,
            {
                $0.limits.fieldsPerType = 6
                $0.limits.newFieldsPerRequest = 4
                $0.limits.typesPerSchema = 4
                $0.limits.newTypesPerRequest = 2
            }
        ) { world in try await scenario(world, try await world.signIn("alice")) }
    }

    private func save(_ world: ServerWorld, _ operations: [JSON], as person: Person) async throws -> [String?]
    {
        try await world.modify("public", operations, as: person)
            .json["records"].texts("serverErrorCode")
    }

    @Test("The fields that a request adds, and the fields of a type, are limited")
    func fields() async throws {
        try await limited { world, alice in
            let before = try await world.exported()
            let tooMany = [create("a", Self.numbers(0..<5))]
            #expect(try await save(world, tooMany, as: alice) == ["BAD_REQUEST"])
            #expect(try await world.exported() == before)
            let together = [
                create("a", Self.numbers(0..<2)), create("b", type: "Clown", Self.numbers(0..<2)),
                create("c", type: "Clown", Self.numbers(2..<3)), create("d", Self.numbers(0..<2)),
            ]
            #expect(try await save(world, together, as: alice) == [nil, nil, "BAD_REQUEST", nil])
            #expect(try await save(world, [create("e", Self.numbers(0..<6))], as: alice) == [nil])
            let grown = try await world.exported()
            #expect(
                try await save(world, [create("f", Self.numbers(0..<7))], as: alice) == ["BAD_REQUEST"])
            #expect(try await world.exported() == grown)
            #expect(try await save(world, [create("g", Self.numbers(0..<6))], as: alice) == [nil])
        }
    }

    @Test("The record types that a request adds, and those of a schema, are limited")
    func types() async throws {
        try await limited { world, alice in
            let three = ["A", "B", "C"].map { create("r\($0)", type: $0, Self.numbers(0..<1)) }
            #expect(try await save(world, three, as: alice) == [nil, nil, "BAD_REQUEST"])
            // User records have the fourth type.
            #expect(try await save(world, [three[2]], as: alice) == [nil])
            let grown = try await world.exported()
            #expect(try await save(world, [create("d", type: "D")], as: alice) == ["BAD_REQUEST"])
            #expect(try await world.exported() == grown)
        }
    }

    @Test("An import, check or deployment above the limits is refused, unless the schema was as large before")
    func operators() async throws {
        try await limited { world, alice in
            _ = try await save(world, [create("a")], as: alice)
            let text = { (count: Int) in
                schemaText((0..<count).map { "f\($0) INT64" }.joined(separator: ", "))
            }
            let refusal = "record type 'Party' has at most 6 fields"
            for call in ["validate", "import"] {
                let large = try await world.schema(call, ["schema": .string(text(7))])
                #expect(large.failure.hasSuffix(refusal), "\(call)")
                #expect(try await world.schema(call, ["schema": .string(text(6))]).status == 200)
            }
            let types = (0..<4).map { "RECORD TYPE T\($0) (a INT64);" }.joined()
            let many = try await world.importSchema("DEFINE SCHEMA \(types)")
            #expect(many.failure.hasSuffix("a schema has at most 4 record types"))
        }
        // A schema from before the limit that exceeds it cannot be deployed, but can be reduced.
        let wide = Schema(types: ["Party": Self.type(of: 8)])
        var limits = Limits()
        limits.fieldsPerType = 6
        #expect(throws: RecordError.self) {
            try SchemaRules.checkSize(of: wide, after: Schema(), limits)
        }
        try SchemaRules.checkSize(of: wide, after: wide, limits)
        try SchemaRules.checkSize(of: Schema(types: ["Party": Self.type(of: 7)]), after: wide, limits)
    }

    @Test("The fields of all types of a schema together are limited")
    func allFields() throws {
        var limits = Limits()
        #expect(limits.fieldsPerSchema == 2000)
        limits.fieldsPerSchema = 3
        let schema = Schema(types: ["Party": Self.type(of: 2)])
        for (names, fits) in [(["a"], true), (["a", "b"], false)] {
            var growth = SchemaGrowth(schema: schema, mayGrow: true, isPublic: true, limits: limits)
            var fields = Fields()
            for name in names { fields[name] = Field(.int64(1)) }
            let admitted = Result { try growth.admit(fields, type: "Clown") }
            #expect(((try? admitted.get()) != nil) == fits, "\(names)")
        }
        let wide = Schema(types: ["Party": Self.type(of: 2), "Clown": Self.type(of: 2)])
        #expect(throws: RecordError.self) { try SchemaRules.checkSize(of: wide, after: schema, limits) }
        try SchemaRules.checkSize(of: wide, after: wide, limits)
    }

    private static func type(of count: Int) -> TypeSchema {
        var type = TypeSchema(name: "Party")
        for number in 0..<count {
            type.fields["f\(number)"] = FieldSchema(type: .scalar(.int64), indexes: .queryable)
        }
        return type
    }

    @Test("Two saves at once do not grow a type beyond its limit together")
    func together() async throws {
        let cache = SchemaCache(directory: MemoryDirectory())
        let place = ContainerKey(container: "iCloud.test", environment: .development)
        var limits = Limits()
        limits.fieldsPerType = 3
        let schema = try await cache.schema(of: place)
        var growths: [SchemaGrowth] = []
        for names in [["a", "b"], ["c", "d"]] {
            var growth = SchemaGrowth(schema: schema, mayGrow: true, isPublic: true, limits: limits)
            var fields = Fields()
            for name in names { fields[name] = Field(.int64(1)) }
            _ = try growth.admit(fields, type: "Party")
            growths.append(growth)
        }
        _ = try await cache.add(growths[0], to: place)
        await #expect(throws: RecordError.self) { try await cache.add(growths[1], to: place) }
        #expect(try await cache.schema(of: place).types["Party"]?.fields.keys.sorted() == ["a", "b"])
    }

    @Test("A type that an older version made too wide accepts records with its fields, and no new fields")
    func broken() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await save(world, [create("old", Self.numbers(0..<3))], as: alice)
            var type = Self.type(of: 2500)
            type.grants = .standard
            for (name, field) in type.fields {
                type.fields[name] = FieldSchema(type: field.type, indexes: [.queryable, .sortable])
            }
            let wide = type
            _ = try await world.service.schemas.changeSchema(of: "iCloud.test", in: .development) { schema in
                var schema = schema
                schema.types["Party"] = wide
                return schema
            }
            let (known, unknown) = (create("a", Self.numbers(0..<3)), create("b", Self.numbers(0..<1, "new")))
            for database in ["public", "private"] {
                let reply = try await world.modify("\(database)", [known, unknown], as: alice)
                #expect(reply.json["records"].texts("serverErrorCode") == [nil, "BAD_REQUEST"])
            }
        }
    }

    @Test("A type that the database refuses does not change the schema")
    func refusedByStore() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            _ = try await save(world, [create("a")], as: alice)
            let before = try await world.exported()
            let database = try await world.service.context.provider.lease(
                DatabaseKey(container: "iCloud.test", environment: .development, owner: nil))
            // A closed store refuses all calls.
            try await database.records.close()
            let reply = try await world.modify("public", [create("b", Self.numbers(0..<3))], as: alice)
            #expect(reply.status == 500)
            #expect(try await world.exported() == before)
            await world.service.context.provider.giveBack(database.key)
        }
    }
}
