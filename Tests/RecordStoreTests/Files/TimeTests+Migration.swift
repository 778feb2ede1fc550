import Foundation
import GRDB
import RecordStore
import Records
import Testing

@testable import TestKit

extension TimeTests {
    @Test("A file of an older version without time marks gets them when it is opened")
    func migration() async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            try await fill(world)
            let (schema, file) = (world.schema, folder.appendingPathComponent("test.sqlite"))
            try await world.finish()
            func marks() throws -> Int? {
                let queue = try DatabaseQueue(path: file.path)
                defer { try? queue.close() }
                return try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM time_mark") }
            }
            let before = try #require(try marks())
            #expect((3...5).contains(before))
            let queue = try DatabaseQueue(path: file.path)
            try await queue.write { database in
                try database.execute(
                    sql: """
                        DROP TABLE time_mark;
                        DELETE FROM grdb_migrations WHERE identifier = '9: which changes were made when';
                        """)
            }
            try queue.close()
            let opened = World(
                store: try StoreKind.sqlite.open(in: folder), schema: schema, time: 1_000_000)
            try await check(opened)
            try await opened.finish()
            #expect(try #require(try marks()) >= 2)
        }
    }
}
