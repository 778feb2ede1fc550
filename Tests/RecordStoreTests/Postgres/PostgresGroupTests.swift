import Dispatch
import Foundation
import PostgreSQLSupport
import RecordStore
import Records
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Writes to PostgreSQL that share a commit", .needsPostgres, .timeLimit(.minutes(5)))
struct PostgresGroupTests {
    /// Runs writes that wait for one another: the first runs until all others wait.
    private func together(
        _ store: PostgresStore, _ writes: [@Sendable () async throws -> Void]
    ) async throws -> [RecordError?] {
        let gate = DispatchSemaphore(value: 0)
        return try await withThrowingTaskGroup(of: (Int, RecordError?).self) { group in
            defer { gate.signal() }
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            group.addTask {
                try await store.write { _, _ in
                    begin.finish()
                    gate.wait()
                    return (true, ())
                }
                return (-1, nil)
            }
            for await _ in begun {}
            for (index, write) in writes.enumerated() {
                group.addTask {
                    do { try await write() } catch let error as RecordError { return (index, error) }
                    return (index, nil)
                }
                try await until { store.writes.count == index + 1 }
            }
            gate.signal()
            var errors = [RecordError?](repeating: nil, count: writes.count)
            for try await (index, error) in group where index >= 0 { errors[index] = error }
            return errors
        }
    }

    private func transactions(of store: PostgresStore) async throws -> [String] {
        try await PostgresKind.engine.get().texts("SELECT DISTINCT xmin::text FROM record", in: store.number)
    }

    @Test("Writes that wait are committed in one transaction, in the order of their arrival")
    func one() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let world = World(store: store)
            let names = (1...20).map { "r\($0)" }
            let writes: [@Sendable () async throws -> Void] = names.map { name in
                { _ = try await world.create(name) }
            }
            let errors = try await together(store, writes)
            #expect(errors.allSatisfy { $0 == nil })
            #expect(try await transactions(of: store).count == 1)
            #expect(try await world.names() == names)
            try await world.finish()
        }
    }

    @Test("A write that fails is undone alone, also if its error arrives after its end")
    func apart() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let world = World(store: store)
            let errors = try await together(
                store,
                [
                    { _ = try await world.create("before") },
                    {
                        try await store.write { session, _ in
                            try session.run("DELETE FROM record WHERE database = $1 AND id / 0 = 1")
                            return (true, ())
                        }
                    },
                    {
                        try await store.write { session, _ -> (stands: Bool, result: Void) in
                            try session.run(
                                "INSERT INTO released_asset (database, checksum) VALUES ($1, 'x')")
                            throw RecordError(.badRequest, "no")
                        }
                    },
                    { _ = try await world.create("after") },
                ])
            #expect(errors.map { $0?.code } == [nil, .internalError, .badRequest, nil])
            #expect(errors[1]?.diagnosis?.hasSuffix("(22012)") == true)
            #expect(try await world.names() == ["before", "after"])
            #expect(try await store.releasedAssets(limit: 9) == [])
            try await world.finish()
        }
    }

    @Test(
        "Writes of one group count what earlier ones have saved, and no longer what one of them has deleted",
        arguments: [false, true])
    func usage(hasFailure: Bool) async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let world = World(store: store)
            try await world.create("a")
            let size = try await store.usage(of: "_alice").recordBytes
            _ = try await store.createZone(named: "Z")
            // Writers take turns. Those that change zones have no name, so that these are in one order.
            try await world.create("z", zone: "Z", by: "")
            let quota = StoreQuota(personRecordBytes: 3 * size + size / 2)
            var writes: [@Sendable () async throws -> Void] = ["b", "c", "d"].map { name in
                { _ = try await world.commit([create(name)], quota: quota) }
            }
            if hasFailure {
                // All are undone, and run again with savepoints.
                writes.append {
                    try await store.write { _, _ -> (stands: Bool, result: Void) in
                        throw RecordError(.badRequest, "no")
                    }
                }
            }
            writes += [
                { _ = try await world.create("y", zone: "Z", by: "") },
                { _ = try await world.create("e", by: "") },
                // A heavy write begins a new group.
                { try await store.deleteZone(named: "Z") },
                { _ = try await store.createZone(named: "Z") },
                {
                    let all = StoreQuota(recordBytes: 5 * size + size / 2)
                    _ = try await world.commit([create("x")], zone: "Z", by: "", quota: all)
                },
            ]
            let errors = try await together(store, writes)
            let codes = errors.compactMap { $0?.code }
            let expected: [RecordError.Code] = hasFailure ? [.badRequest] : []
            #expect(codes == expected)
            #expect(try await world.names().sorted() == ["a", "b", "c", "e"])
            #expect(try await world.names(in: "Z") == ["x"])
            let alice = try await store.usage(of: "_alice")
            #expect(alice == StoreUsage(records: 3, recordBytes: 3 * size))
            let other = try await store.usage(of: "")
            #expect(other == StoreUsage(records: 2, recordBytes: 2 * size))
            let all = try await store.usage()
            #expect(all == alice + other)
            try await world.finish()
        }
    }

    @Test("What is read in one round trip is read on one snapshot")
    func readAtOnce() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let sql = "SELECT current_setting('transaction_isolation'), named_database() = $1"
            for _ in 1...2 {
                let seen = try await store.readAtOnce { session in
                    try [session.ask(sql), session.ask(sql)]
                } take: { answers in
                    try answers.map { answer in
                        try answer.rows().map { "\($0.text(0)), \($0.bool(1))" }
                    }
                }
                #expect(seen == [["repeatable read, true"], ["repeatable read, true"]])
            }
            try await store.close()
        }
    }

    @Test("A connection that the engine ends fails its writes; later ones use another")
    func lost() async throws {
        try await withFolder { folder in
            let store = try PostgresKind.database(of: folder, identity: 7)
            let world = World(store: store)
            let error = await #expect(throws: RecordError.self) {
                try await store.write { session, _ in
                    try session.run("SELECT pg_terminate_backend(pg_backend_pid()), $1")
                    return (true, ())
                }
            }
            #expect(error?.code == .tryAgainLater)
            try await world.create("next")
            #expect(try await world.names() == ["next"])
            try await world.finish()
        }
    }
}
