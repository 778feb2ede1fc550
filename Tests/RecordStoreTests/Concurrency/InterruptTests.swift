import Foundation
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("Writes when the server stops", .timeLimit(.minutes(30)))
struct InterruptTests {
    /// Counts without an end.
    private static let endless = """
        WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number)
        SELECT COUNT(*) FROM number
        """

    private func open(_ folder: URL, _ durability: Durability) throws -> SQLiteStore {
        try SQLiteStore(
            file: folder.appendingPathComponent("stop.sqlite"), durability: durability, newIdentity: 7,
            codec: FieldJSON())
    }

    @Test(
        """
        A write that runs is interrupted and rolled back, those that wait are refused, and acknowledged ones \
        stay
        """)
    func interrupted() async throws {
        try await withFolder { folder in
            let store = try open(folder, .process)
            let world = World(store: store)
            try await world.create("acknowledged")
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let errors = try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                group.addTask {
                    await #expect(throws: RecordError.self) {
                        try await store.write(for: "_mallory") { database, state in
                            try SQL(database, "DELETE FROM record").run()
                            begin.finish()
                            try SQL(database, Self.endless).run()
                            return (true, state.commits)
                        }
                    }
                }
                for await _ in begun {}
                group.addTask {
                    await #expect(throws: RecordError.self) { try await world.create("waiting") }
                }
                store.interruptWrites()
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(errors.map { $0?.code } == [.tryAgainLater, .tryAgainLater])
            let late = await #expect(throws: RecordError.self) { try await world.create("late") }
            #expect(late?.code == .tryAgainLater)
            try await store.close()
            let again = World(store: try open(folder, .process))
            #expect(try await again.names() == ["acknowledged"])
            try await again.create("next")
            try await again.finish()
        }
    }

    @Test("Many short statements of one write are interrupted too")
    func short() async throws {
        try await withFolder { folder in
            let store = try open(folder, .process)
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let error = try await withThrowingTaskGroup(of: Optional<RecordError>.self) { group in
                group.addTask {
                    await #expect(throws: RecordError.self) {
                        try await store.write(for: "_mallory") { database, state in
                            begin.finish()
                            while true {
                                var row = try SQL(database, "SELECT 1 FROM record WHERE name = ?")
                                row.bind("absent")
                                let isThere = try row.step()
                                row.reset()
                                if isThere { return (true, state.commits) }
                            }
                        }
                    }
                }
                for await _ in begun {}
                store.interruptWrites()
                return try await group.next() ?? nil
            }
            #expect(error?.code == .tryAgainLater)
            try await store.close()
        }
    }
}
