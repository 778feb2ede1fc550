import Dispatch
import Foundation
import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Writes to many databases of one engine", .needsPostgres, .timeLimit(.minutes(5)))
struct PostgresWriteTests {
    /// Holds writes until it is opened. If more begin than it expects, it opens, so that the test can end.
    private final class Gate: Sendable {
        private let expected: Int
        private let count = Atomic(0)
        private let semaphore = DispatchSemaphore(value: 0)

        init(expecting expected: Int) {
            self.expected = expected
        }

        /// The number of writes that have begun.
        var begun: Int { count.load(ordering: .relaxed) }

        func hold() {
            if count.wrappingAdd(1, ordering: .relaxed).newValue > expected { open() }
            semaphore.wait()
            semaphore.signal()
        }

        func open() { semaphore.signal() }

        /// Waits until as many writes as expected have begun and the others wait, or more have begun.
        func waitForWrites(of stores: ArraySlice<PostgresStore>) async throws {
            try await until {
                let waiting = stores.reduce(0) { $0 + $1.writes.count }
                return begun > expected || begun == expected && begun + waiting == stores.count
            }
        }
    }

    /// Runs a test with databases in an engine of their own.
    private func withStores(
        _ count: Int, connections: Int, _ body: (PostgresEngine, [PostgresStore]) async throws -> Void
    ) async throws {
        let address = try PostgresForTests.requiredAddress()
        try await withFolder { folder in
            let engine = try PostgresEngine(address: address, process: 3, connections: connections)
            let first = PostgresKind.number(of: folder)
            let stores = try (0..<count).map { index in
                try PostgresStore(
                    in: engine, number: first + Int64(index), newIdentity: 7, codec: FieldJSON())
            }
            try await body(engine, stores)
            await engine.close()
        }
    }

    /// A write that the gate holds.
    private func hold(_ store: PostgresStore, at gate: Gate, isHeavy: Bool = false) async throws {
        try await store.write(weight: isHeavy ? WriteGroup.heavyWeight : 1) { session, _ in
            try session.run("INSERT INTO released_asset (database, checksum) VALUES ($1, 'held')")
            gate.hold()
            return (true, ())
        }
    }

    @Test("However many heavy writes to other databases run and wait, a light write has a place")
    func heavy() async throws {
        try await withStores(13, connections: 8) { _, stores in
            // A quarter of the connections.
            let (gate, others) = (Gate(expecting: 2), stores.dropFirst())
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { gate.open() }
                for store in others { group.addTask { try await hold(store, at: gate, isHeavy: true) } }
                try await gate.waitForWrites(of: others)
                let world = World(store: stores[0])
                try await world.create("a")
                #expect(gate.begun == 2)
                gate.open()
                try await group.waitForAll()
            }
            #expect(gate.begun == others.count)
            for store in others { #expect(try await store.releasedAssets(limit: 9) == ["held"]) }
        }
    }

    @Test("However many writes run and wait, a read has a connection")
    func readers() async throws {
        try await withStores(9, connections: 4) { _, stores in
            // One is heavy, and two are light.
            let (gate, others) = (Gate(expecting: 3), stores.dropFirst())
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { gate.open() }
                for (index, store) in others.enumerated() {
                    group.addTask { try await hold(store, at: gate, isHeavy: index % 2 == 0) }
                }
                try await gate.waitForWrites(of: others)
                #expect(try await stores[0].releasedAssets(limit: 9) == [])
                #expect(gate.begun == 3)
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test("A write that waits for a place is refused when its server stops, and its store closes at once")
    func stopped() async throws {
        try await withStores(2, connections: 2) { _, stores in
            let gate = Gate(expecting: 1)
            try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                defer { gate.open() }
                group.addTask {
                    try await hold(stores[0], at: gate)
                    return nil
                }
                try await until { gate.begun == 1 }
                group.addTask {
                    await #expect(throws: RecordError.self) { try await hold(stores[1], at: gate) }
                }
                try await until { stores[1].writes.count == 1 }
                stores[1].interruptWrites()
                let error = try await group.next() ?? nil
                #expect(error?.code == .tryAgainLater)
                try await stores[1].close()
                #expect(gate.begun == 1)
                gate.open()
                try await group.waitForAll()
            }
            #expect(try await stores[0].releasedAssets(limit: 9) == ["held"])
            #expect(try await stores[1].releasedAssets(limit: 9) == [])
        }
    }

    @Test("When an engine closes, a write that runs is completed, and one that waits for a place is refused")
    func closed() async throws {
        try await withStores(2, connections: 2) { engine, stores in
            let gate = Gate(expecting: 1)
            let errors = try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                defer { gate.open() }
                group.addTask {
                    try await hold(stores[0], at: gate)
                    return nil
                }
                try await until { gate.begun == 1 }
                group.addTask {
                    await #expect(throws: RecordError.self) { try await hold(stores[1], at: gate) }
                }
                try await until { stores[1].writes.count == 1 }
                group.addTask {
                    await engine.close()
                    return nil
                }
                try await until { await isClosed(engine) }
                gate.open()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let codes = errors.compactMap { $0?.code }
            #expect(codes == [.tryAgainLater])
            let other = try PostgresKind.engine.get()
            var held: [[String]] = []
            for store in stores {
                held.append(
                    try await other.texts("SELECT checksum FROM released_asset", in: store.number))
            }
            #expect(held == [["held"], []])
        }
    }

    /// Whether an engine refuses new work. Its second connection is free.
    private func isClosed(_ engine: PostgresEngine) async -> Bool {
        do { try await engine.tell([]) } catch { return true }
        return false
    }
}
