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

@Suite("The cache of schemas", .timeLimit(.minutes(30)))
struct SchemaCacheTests {
    @Test("A schema that is read while its container is removed is not cached for its successor")
    func removedMeanwhile() async throws {
        let directory = SlowDirectory(Schema(types: ["Old": TypeSchema(name: "Old")]))
        let cache = SchemaCache(directory: directory)
        let place = ContainerKey(container: "iCloud.test", environment: .development)
        await directory.hold()
        async let read = cache.schema(of: place)
        await directory.reached()
        try await cache.remove("iCloud.test") { await directory.set(Schema()) }
        await directory.letGo()
        #expect(try await read == Schema.initial)
        #expect(try await cache.schema(of: place) == Schema.initial)
    }

    @Test("A schema that is read while it changes is read again")
    func changedMeanwhile() async throws {
        let directory = SlowDirectory(Schema())
        let cache = SchemaCache(directory: directory)
        let place = ContainerKey(container: "iCloud.test", environment: .development)
        await directory.hold()
        async let read = cache.schema(of: place)
        await directory.reached()
        let new = try await cache.replace(place) { schema in
            var schema = schema
            schema.types["New"] = TypeSchema(name: "New")
            return schema
        }.new
        await directory.letGo()
        #expect(try await read == new)
        #expect(try await cache.schema(of: place) == new)
    }

    @Test("A change begins again if another node has changed the schema, and both changes last")
    func otherNode() async throws {
        let directory = SlowDirectory(Schema())
        let cache = SchemaCache(directory: directory)
        let place = ContainerKey(container: "iCloud.test", environment: .development)
        _ = try await cache.schema(of: place)
        await directory.set(Schema(types: ["Theirs": TypeSchema(name: "Theirs")]))
        let change = try await cache.replace(place) { schema in
            var schema = schema
            schema.types["Ours"] = TypeSchema(name: "Ours")
            return schema
        }
        #expect(Set(change.new.types.keys) == ["Theirs", "Ours", "Users"])
        #expect(try await cache.schema(of: place) == change.new)
        await directory.set(Schema())
        cache.forget(place.container)
        #expect(try await cache.schema(of: place) == .initial)
    }

    @Test("A change of one container's schema does not wait for that of another container")
    func otherContainer() async throws {
        let cache = SchemaCache(directory: SlowDirectory(Schema()))
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        async let slow = cache.replace(
            ContainerKey(container: "iCloud.slow", environment: .development)
        ) { schema in
            begin.finish()
            for await _ in released {}
            return schema
        }
        for await _ in begun {}
        let quick = try await cache.replace(
            ContainerKey(container: "iCloud.quick", environment: .development)
        ) { schema in
            var schema = schema
            schema.types["New"] = TypeSchema(name: "New")
            return schema
        }
        #expect(quick.new.types["New"] != nil)
        release.finish()
        let unchanged = try await slow
        #expect(unchanged.old == unchanged.new)
    }

    @Test("A failed removal leaves the schema usable, and can be repeated")
    func failedRemoval() async throws {
        try await withServer(.loopback) { world in
            let alice = try await world.signIn("alice")
            let save = batch([create("p")])
            #expect(try await world.call("public/records/modify", save, as: alice).records == ["ok"])
            // A file in place of the folder for deleted databases makes the removal fail.
            let bin = world.server.dataFolder.appendingPathComponent("removed")
            bin.remove()
            try Data().write(to: bin)
            #expect(try await world.operate("POST", "containers/iCloud.test/delete").status == 500)
            #expect(try await world.lookup("public", "p", as: alice).records == ["ok"])
            #expect(try await world.schema("reset").status == 500)
            #expect(try await world.lookup("public", "p", as: alice).records == ["ok"])
            try FileManager.default.removeItem(at: bin)
            #expect(try await world.operate("POST", "containers/iCloud.test/delete").status == 200)
        }
    }

    // MARK: Refused saves

    @Test("Clients cannot create user records in a private database, or add fields to them")
    func users() async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let before = try await world.exported()
            let attempts = [
                create("u", type: "Users"), operation("forceUpdate", "u", type: "Users", ["x": number(1)]),
                operation("forceReplace", "u", type: "Users", ["x": number(1)]),
                operation("update", "u", type: "Users", tag: "1", ["x": number(1)]),
                operation("replace", "u", type: "Users", tag: "1", ["x": number(1)]),
                operation("forceUpdate", bob.recordName, type: "Users", ["x": number(1)]),
            ]
            for zone in [nil, "Notes"] {
                for attempt in attempts {
                    let refused = try await world.modify("private", [attempt], zone: zone, as: alice)
                    let codes = refused.json["records"].texts("serverErrorCode")
                    #expect([["ACCESS_DENIED"], ["NOT_FOUND"]].contains(codes), "\(attempt): \(codes)")
                }
            }
            let own = operation("forceUpdate", alice.recordName, type: "Users", ["x": number(1)])
            let inZone = try await world.modify("private", [own], zone: "Notes", as: alice)
            #expect(inZone.json["records"].texts("serverErrorCode") == ["ACCESS_DENIED"])
            #expect(try await world.exported() == before)
        }
    }

    @Test(
        "A save that fails because of the stored record, or its absence, adds nothing to the schema",
        arguments: ["public", "private"])
    func shaping(database: String) async throws {
        try await withServer(.loopback) { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            _ = try await world.modify("\(database)", [create("p")], as: alice)
            _ = try await world.modify("public", [create("bobs")], as: bob)
            let before = try await world.exported()
            let attempts = [
                (create("p", ["a": number(1)]), "CONFLICT"),
                (operation("update", "none", type: "Party", tag: "1", ["a": number(1)]), "NOT_FOUND"),
                (operation("update", "p", type: "Party", tag: "zz", ["a": number(1)]), "CONFLICT"),
                (operation("forceUpdate", "p", type: "Other", ["a": number(1)]), "BAD_REQUEST"),
                (operation("update", "p", type: "Party", ["a": number(1)]), "BAD_REQUEST"),
                (
                    operation("update", "bobs", type: "Party", tag: "1", ["a": number(1)]),
                    database == "public" ? "ACCESS_DENIED" : "NOT_FOUND"
                ),
            ]
            for (attempt, code) in attempts {
                let refused = try await world.modify("\(database)", [attempt], as: alice)
                #expect(refused.json["records"].texts("serverErrorCode") == [code], "\(attempt)")
            }
            #expect(try await world.exported() == before)
        }
    }
}

/// A schema directory that can pause a reader after it has read a schema.
private actor SlowDirectory: SchemaDirectory {
    private var schema: Schema
    private var isHeld = false
    private var held: CheckedContinuation<Void, Never>?
    private var watcher: CheckedContinuation<Void, Never>?

    init(_ schema: Schema) {
        self.schema = schema
    }

    /// Pauses the next reader.
    func hold() { isHeld = true }

    /// Waits until a reader is paused.
    func reached() async {
        if held == nil { await withCheckedContinuation { watcher = $0 } }
    }

    func letGo() {
        held?.resume()
        held = nil
    }

    func set(_ schema: Schema) { self.schema = schema }

    func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        let seen = schema
        if isHeld {
            isHeld = false
            await withCheckedContinuation { reader in
                held = reader
                watcher?.resume()
                watcher = nil
            }
        }
        return seen
    }

    func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment, ifStill known: Schema?
    ) async throws -> Bool {
        if let known, known.complete != schema.complete { return false }
        for type in types { schema.types[type.name] = type }
        return true
    }

    func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema, ifStill known: Schema?
    ) async throws -> Bool {
        if let known, known.complete != self.schema.complete { return false }
        self.schema = schema
        return true
    }

    func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember] { [] }

    func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool { true }

    func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool { true }
}
