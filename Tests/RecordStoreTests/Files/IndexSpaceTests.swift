import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite
import Records
import Testing

@testable import TestKit

@Suite("The space of indexes")
struct IndexSpaceTests {
    /// The number of pages of a file, and of its free pages.
    private func pages(_ folder: URL) throws -> (all: Int, free: Int) {
        let queue = try DatabaseQueue(path: folder.appendingPathComponent("test.sqlite").path)
        defer { try? queue.close() }
        return try queue.read { database in
            (
                try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0,
                try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            )
        }
    }

    @Test("The space of a dropped index is free, and used for the next records")
    func freed() async throws {
        try await withFolder { folder in
            let first = World(store: try StoreKind.sqlite.open(in: folder))
            func fill(_ world: World, _ prefix: String, count: Int) async throws {
                try await world.commit(
                    (0..<count).map { number in
                        let words = String(repeating: "\(prefix)\(number) ", count: 150)
                        return create("\(prefix)\(number)", ["title": text(words)])
                    })
            }
            try await fill(first, "a", count: 200)
            try await first.finish()
            let before = try pages(folder)
            let second = World(store: try StoreKind.sqlite.open(in: folder), schema: first.schema)
            second.declare { $0.types["Party"]?.fields["title"]?.indexes = [] }
            try await second.store.dropIndexes(notIn: second.schema)
            try await second.finish()
            let dropped = try pages(folder)
            #expect(dropped.free > before.free + before.all / 4)
            let third = World(store: try StoreKind.sqlite.open(in: folder), schema: second.schema)
            try await fill(third, "b", count: 20)
            try await third.finish()
            let after = try pages(folder)
            #expect(after.all == dropped.all)
            #expect(after.free < dropped.free)
        }
    }
}
