import Foundation
import GRDB
import RecordStore
import Records
import SQLiteSupport
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("The limit of the log")
struct LogLimitTests {
    /// A database whose log is limited to 100,000 bytes.
    private struct Desk {
        let connections: Connections

        init(_ folder: URL) throws {
            let file = folder.appendingPathComponent("test.sqlite")
            connections = try Connections(file: file, durability: .full, readers: 4, logBytes: 100_000)
            try connections.writer.writeWithoutTransaction {
                try $0.execute(sql: "CREATE TABLE note (content BLOB)")
            }
        }

        func logSize() throws -> Int64 { try connections.writer.read { $0.logSize } }

        /// Commits a row of 50,000 bytes.
        func write() throws {
            try connections.writer.writeWithoutTransaction { database in
                try database.execute(sql: "INSERT INTO note VALUES (zeroblob(50000))")
                connections.logLimit.enforce(database)
            }
        }

        /// Counts the rows, calls `body` while the snapshot exists, and counts the rows again.
        func read(isSlow: Bool, during body: () throws -> Void = {}) throws -> [Int?] {
            try ReadBudget.$current.withValue(ReadBudget(isSlow: isSlow)) {
                try connections.read { database in
                    let before = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM note")
                    try body()
                    return [before, try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM note")]
                }
            }
        }
    }

    @Test("Slow reads that overlap cannot keep the log from being emptied")
    func overlap() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            for _ in 0..<10 { try desk.write() }
            let bounded = try desk.logSize()
            // The log was emptied after each commit that let it exceed the limit.
            #expect(bounded <= 160_000)
            var refused: Records.RecordError?
            let counts = try desk.read(isSlow: true) {
                for _ in 0..<4 { try desk.write() }
                let size = try desk.logSize()
                #expect(size > 160_000)
                // A second slow read would hold the log when the first one ends.
                refused = #expect(throws: Records.RecordError.self) { try desk.read(isSlow: true) }
                let others = try desk.read(isSlow: false)
                #expect(others == [14, 14])
            }
            #expect(refused?.code == .tryAgainLater)
            #expect(refused?.retryAfter == 1)
            #expect(counts == [10, 10])
            // The writing connection empties the log before it answers.
            let size = try desk.logSize()
            #expect(size == 0)
            let later = try desk.read(isSlow: true)
            #expect(later == [14, 14])
            try desk.connections.close()
        }
    }

    @Test("While the log is below its limit, slow reads overlap")
    func below() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            try desk.write()
            let counts = try desk.read(isSlow: true) {
                let inner = try desk.read(isSlow: true)
                #expect(inner == [1, 1])
            }
            #expect(counts == [1, 1])
            let size = try desk.logSize()
            #expect(size > 0)
            try desk.connections.close()
        }
    }
}
