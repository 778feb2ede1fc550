import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import Testing

@testable import TestKit

@Suite("Statistics for the query planner")
struct StatisticsMigrationTests {
    private func figures(_ folder: URL, _ statements: String = "") throws -> [String] {
        let queue = try DatabaseQueue(path: folder.appendingPathComponent("test.sqlite").path)
        let figures = try queue.write { database in
            let sql = "SELECT tbl || ' ' || idx || ' ' || stat FROM sqlite_stat1 ORDER BY 1"
            let figures = try String.fetchAll(database, sql: sql)
            try database.execute(sql: statements)
            return figures
        }
        try queue.close()
        return figures
    }

    @Test("A migrated file has the same statistics as a new one")
    func migration() async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            try await world.create("a", ["s": text("x"), "l": texts("x"), "i": number(1), "at": place(1, 2)])
            try await world.finish()
            let fresh = try figures(
                folder,
                """
                DELETE FROM sqlite_stat1;
                DELETE FROM grdb_migrations WHERE identifier = '3: what the planner is told';
                """
            )
            #expect(fresh.contains("type_1 type_1 1000000 1000000 1"), "\(fresh)")
            #expect(fresh.contains { $0.hasPrefix("element_") }, "\(fresh)")
            #expect(fresh.count >= 6, "\(fresh)")
            try await World(store: try StoreKind.sqlite.open(in: folder)).finish()
            #expect(try figures(folder) == fresh)
        }
    }
}
