import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Contract: batches of devices")
struct BatchMemoryTests {
    private func named(_ token: UInt8, except names: String...) -> ClientChange {
        ClientChange(token: [token], exceptions: Set(names))
    }

    /// A device's last batch, as it is returned with the changes of a zone.
    private func last(
        _ world: World, _ device: String = "phone", of person: String = "_alice", zone: String = "Z"
    ) async throws -> ClientChange? {
        let client = ClientID(person: person, device: device)
        return try await world.store.changes(ChangesRequest(zone: zone, limit: 0, client: client)).lastBatch
    }

    private func withZone(_ kind: StoreKind, _ body: (World) async throws -> Void) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Z")
            try await body(world)
        }
    }

    @Test(
        """
        A page of changes tells a device the name of its last batch in the zone, and which records of that \
        batch were not changed
        """,
        arguments: StoreKind.allCases)
    func told(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            _ = try await world.store.createZone(named: "Y")
            #expect(try await last(world) == ClientChange.nothing)
            try await world.commit([create("a")], zone: "Z", from: "phone", named: named(1))
            #expect(try await last(world) == named(1))
            try await world.commit(
                [create("a"), create("b")], zone: "Z", from: "phone", named: named(2, except: "lost"))
            #expect(try await last(world) == named(2, except: "a", "lost"))
            #expect(try await last(world, "tablet") == ClientChange.nothing)
            #expect(try await last(world, of: "_bob") == ClientChange.nothing)
            #expect(try await last(world, zone: "Y") == ClientChange.nothing)
            try await world.commit([create("c")], zone: "Z", from: "tablet", named: named(3))
            try await world.commit([create("d")], zone: "Z", by: "_bob", from: "phone", named: named(4))
            #expect(try await last(world) == named(2, except: "a", "lost"))
            #expect(try await last(world, "tablet") == named(3))
            #expect(try await last(world, of: "_bob") == named(4))
            // A batch of a device without a name, and a batch without a token.
            try await world.commit([create("e")], zone: "Z", named: named(5))
            try await world.commit([create("f")], zone: "Z", from: "phone")
            #expect(try await last(world) == named(2, except: "a", "lost"))
            let page = try await world.store.changes(ChangesRequest(zone: "Z", limit: 0))
            #expect(page.lastBatch == nil)
        }
    }

    @Test(
        "A batch that is undone, or that changes nothing, does not replace the name of the last batch",
        arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            try await world.commit([create("a")], zone: "Z", from: "phone", named: named(1))
            try await world.commit(
                [create("a"), create("b")], zone: "Z", atomic: true, from: "phone", named: named(2))
            #expect(try await last(world) == named(1))
            try await world.commit([create("a")], zone: "Z", from: "phone", named: named(3))
            #expect(try await last(world) == named(1))
            try await world.commit([delete("a")], zone: "Z", from: "phone", named: named(4))
            #expect(try await last(world) == named(4))
        }
    }

    @Test(
        "For a batch that is sent again under its name, the changes of both attempts count",
        arguments: StoreKind.allCases)
    func again(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            let batch = [create("a"), create("b"), create("c")]
            try await world.create("b", zone: "Z")
            try await world.commit(batch, zone: "Z", from: "phone", named: named(1))
            #expect(try await last(world) == named(1, except: "b"))
            try await world.commit([delete("b"), delete("c")], zone: "Z")
            try await world.commit(batch, zone: "Z", from: "phone", named: named(1))
            #expect(try await last(world) == named(1))
        }
    }

    @Test(
        """
        A zone remembers a limited number of devices of a person; one more replaces the device that wrote \
        longest ago
        """,
        arguments: StoreKind.allCases)
    func surplus(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            var limits = Limits()
            #expect(limits.clientsPerZone == 100)
            limits.clientsPerZone = 2
            func write(_ device: String, _ token: UInt8, by person: String = "_alice") async throws {
                try await world.commit(
                    [create("r\(token)")], zone: "Z", by: person, limits: limits, from: device,
                    named: named(token))
            }
            try await write("phone", 1, by: "_bob")
            try await write("phone", 2)
            try await write("tablet", 3)
            try await write("phone", 4)
            #expect(try await last(world, "tablet") == named(3))
            try await write("laptop", 5)
            #expect(try await last(world, "tablet") == ClientChange.nothing)
            #expect(try await last(world) == named(4))
            #expect(try await last(world, "laptop") == named(5))
            #expect(try await last(world, of: "_bob") == named(1))
        }
    }

    @Test(
        "A database remembers a limited number of batches of all zones; one more replaces the oldest",
        arguments: StoreKind.allCases)
    func bounded(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            var limits = Limits()
            #expect(limits.clientsPerDatabase == 1000)
            limits.clientsPerDatabase = 2
            _ = try await world.store.createZone(named: "Y")
            for (zone, token) in [("Z", UInt8(1)), ("Y", 2), ("Z", 4), ("Y", 3)] {
                let device = token == 3 ? "tablet" : "phone"
                try await world.commit(
                    [create("r\(token)")], zone: zone, limits: limits, from: device, named: named(token))
            }
            #expect(try await last(world) == named(4))
            let lines = try await world.store.changes(ChangesRequest(zone: "Y", limit: 10))
            #expect(lines.lastBatch == nil)
            for (device, token) in [("phone", ClientChange.nothing), ("tablet", named(3))] {
                var request = ChangesRequest(zone: "Y", limit: 10)
                request.client = ClientID(Stamp(at: Timestamp(milliseconds: 0), by: "_alice", device: device))
                #expect(try await world.store.changes(request).lastBatch == token, "\(device)")
            }
        }
    }

    @Test("A zone that is created again remembers no batch", arguments: StoreKind.allCases)
    func createdAgain(kind: StoreKind) async throws {
        try await withZone(kind) { world in
            try await world.commit([create("a")], zone: "Z", from: "phone", named: named(1))
            try await world.commit([create("a")], from: "phone", named: named(2))
            let stamp = Stamp(at: Timestamp(milliseconds: 9000), by: "_alice")
            try await world.store.deleteZone(named: "Z")
            try await world.store.deleteZone(named: "_defaultZone", reason: .purged, by: stamp)
            _ = try await world.store.createZone(named: "Z")
            #expect(try await last(world) == ClientChange.nothing)
            #expect(try await last(world, zone: "_defaultZone") == ClientChange.nothing)
        }
    }

    @Test("The name of a batch is on disk together with the batch's changes", arguments: StoreKind.lasting)
    func reopened(kind: StoreKind) async throws {
        try await withFolder { folder in
            let first = World(store: try kind.open(in: folder))
            _ = try await first.store.createZone(named: "Z")
            try await first.create("a", zone: "Z")
            try await first.commit(
                [create("a"), create("b")], zone: "Z", from: "phone", named: named(1))
            // The store is not closed: acknowledged changes are in the file already.
            let other = World(store: try kind.open(in: folder), schema: first.schema)
            #expect(try await last(other) == named(1, except: "a"))
            try await first.store.close()
            try await other.finish()
        }
    }
}
