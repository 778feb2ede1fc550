import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import Testing

@testable import TestKit

@Suite("The usage that a file stores")
struct UsageMigrationTests {
    private func change(_ folder: URL, _ statements: String) throws {
        let queue = try DatabaseQueue(path: folder.appendingPathComponent("test.sqlite").path)
        try queue.write { try $0.execute(sql: statements) }
        try queue.close()
    }

    /// Creates a database with records and files in two zones. Returns the space that they use.
    private func fill(_ folder: URL) async throws -> StoreUsage {
        let world = World(store: try StoreKind.sqlite.open(in: folder))
        let photo = Field(.asset(Asset(fileChecksum: "A", size: 1000)))
        _ = try await world.store.createZone(named: "Notes")
        try await world.create("a", ["photo": photo, "n": number(1)])
        try await world.create("n", ["photo": photo], zone: "Notes")
        try await world.create("gone", ["photo": photo])
        try await world.commit([delete("gone")])
        try await world.shareNote(in: "Shared")
        let usage = try await world.store.usage()
        try await world.finish()
        return usage
    }

    @Test("A file without stored usage is counted when it is opened")
    func migration() async throws {
        try await withFolder { folder in
            let usage = try await fill(folder)
            #expect(usage.assetBytes == 2000)
            try change(
                folder,
                """
                ALTER TABLE zone DROP COLUMN record_bytes;
                ALTER TABLE zone DROP COLUMN asset_bytes;
                DELETE FROM grdb_migrations WHERE identifier = '2: what records take up';
                """
            )
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            #expect(try await world.store.usage() == usage)
            try await world.finish()
        }
    }

    @Test("A file that counted only names and fields is counted again when it is opened")
    func names() async throws {
        try await withFolder { folder in
            let usage = try await fill(folder)
            try change(
                folder,
                """
                UPDATE zone SET record_bytes = 1;
                UPDATE person_usage SET record_bytes = 1;
                DELETE FROM grdb_migrations WHERE identifier LIKE '14: %';
                """
            )
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            #expect(try await world.store.usage() == usage)
            #expect(try await world.store.usage(of: "_alice") == usage)
            try await world.finish()
        }
    }

    @Test("A file without the usage of people is counted when it is opened")
    func people() async throws {
        try await withFolder { folder in
            let usage = try await fill(folder)
            try change(
                folder,
                """
                DROP TABLE person_usage;
                ALTER TABLE zone DROP COLUMN record_count;
                DELETE FROM grdb_migrations
                    WHERE identifier = '10: what the records of people take up' OR identifier LIKE '15:%';
                """
            )
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            #expect(try await world.store.usage() == usage)
            #expect(try await world.store.usage(of: "_alice") == usage)
            try await world.finish()
        }
    }

    @Test("The check of a file reports a wrong usage of a person")
    func miscountedPerson() async throws {
        try await withFolder { folder in
            _ = try await fill(folder)
            try change(folder, "UPDATE person_usage SET record_bytes = record_bytes + 5 WHERE zone = 1")
            let store = try StoreKind.sqlite.open(in: folder)
            let faults = try await (store as? SQLiteStore)?.faults()
            #expect(faults?.count == 1)
            #expect(faults?.first?.hasPrefix("the records of _alice in zone _defaultZone are said") == true)
            try await store.close()
        }
    }

    @Test("The check of a file reports a wrong usage of a zone")
    func miscount() async throws {
        try await withFolder { folder in
            let usage = try await fill(folder)
            try change(folder, "UPDATE zone SET asset_bytes = asset_bytes + 5 WHERE name = 'Notes'")
            let store = try StoreKind.sqlite.open(in: folder)
            let faults = try await (store as? SQLiteStore)?.faults()
            #expect(faults?.count == 1)
            #expect(faults?.first?.hasPrefix("zone Notes is said to take up") == true)
            #expect(try await store.usage().total == usage.total + 5)
            try await store.close()
        }
    }
}
