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
