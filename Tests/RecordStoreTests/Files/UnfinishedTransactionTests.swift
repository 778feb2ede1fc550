import Foundation
import GRDB
import Records
import SQLiteSupport
import Testing

@testable import TestKit

@Suite("Files whose process ended in a transaction")
struct UnfinishedTransactionTests {
    @Test("The transaction is undone before the file is opened for reading only")
    func undone() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("running.sqlite")
            let left = folder.appendingPathComponent("left.sqlite")
            let queue = try DatabaseQueue(path: file.path)
            try await queue.writeWithoutTransaction { database in
                try database.execute(
                    sql: """
                        CREATE TABLE fruit (name TEXT);
                        INSERT INTO fruit VALUES ('apple');
                        PRAGMA cache_size = 1;
                        BEGIN;
                        UPDATE fruit SET name = 'pear';
                        INSERT INTO fruit
                        WITH RECURSIVE number (n) AS (
                            SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 5000
                        )
                        SELECT printf('%0100d', n) FROM number;
                        """)
                // The files as they are now are those that a killed process leaves.
                for ending in ["", "-journal"] {
                    try FileManager.default.copyItem(
                        atPath: file.path + ending, toPath: left.path + ending)
                }
                try database.execute(sql: "ROLLBACK")
            }
            try queue.close()
            #expect(throws: Records.RecordError.self) { _ = try SQLiteFile(left) }
            try SQLiteFile.undoUnfinishedTransaction(of: left)
            let opened = try SQLiteFile(left)
            let names = try opened.read { try String.fetchAll($0, sql: "SELECT name FROM fruit") }
            try opened.close()
            #expect(names == ["apple"])
        }
    }
}
