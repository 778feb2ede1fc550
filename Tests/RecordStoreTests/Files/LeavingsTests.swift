import Foundation
import GRDB
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import Synchronization
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("SQLite: forgetting the traces of shares")
struct LeavingsTests {
    /// The number of statements that forget the surplus of a file with that many zones, each of which has a
    /// share that a record has left.
    private func statements(zones: Int) async throws -> Int {
        try await withFolder { folder in
            let store = try SQLiteStore(
                file: folder.appendingPathComponent("leavings.sqlite"), durability: .none, newIdentity: 7,
                codec: FieldJSON())
            let world = World(store: store)
            for zone in (0..<zones).map({ "Z\($0)" }) {
                try await world.shareNote(in: zone)
                try await world.commit([move("line", under: nil)], zone: zone)
            }
            let count = try await store.write(for: "_alice") { database, state in
                let count = Mutex(0)
                // As many traces are kept as there are records: four in each zone.
                for number in 1...3 {
                    try database.execute(
                        sql: """
                            INSERT INTO share_feed (share, zone, name, sequence, entered, gone_at)
                            SELECT share, zone, name || '-' || ?1, sequence + ?1 * 100000, entered, 1
                            FROM share_feed
                            WHERE name NOT LIKE '%-%'
                            """,
                        arguments: [number])
                }
                database.trace { _ in count.withLock { $0 += 1 } }
                defer { database.trace(options: []) }
                state.leavings = 5
                try Deletions(database: database).forgetSurplusLeavings(keeping: 0, &state)
                let left = try Int.fetchOne(
                    database, sql: "SELECT COUNT(*) FROM share_feed WHERE gone_at IS NOT NULL")
                #expect(left == 4 * zones)
                return (false, count.withLock { $0 })
            }
            try await store.close()
            return count
        }
    }

    @Test("Forgetting the surplus takes as many statements with many zones as with few")
    func manyZones() async throws {
        #expect(try await statements(zones: 40) == statements(zones: 2))
    }
}
