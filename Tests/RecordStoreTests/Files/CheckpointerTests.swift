import Foundation
import GRDB
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("The checkpointing of the log")
struct CheckpointerTests {
    /// A database with a write-ahead log, and the checkpointer for it.
    private struct Desk {
        let file: URL
        let writer: DatabaseQueue
        let checkpointer: Checkpointer

        init(_ folder: URL) throws {
            file = folder.appendingPathComponent("test.sqlite")
            var configuration = Configuration()
            configuration.journalMode = .wal
            let path = file.path
            writer = try DatabaseQueue(path: path, configuration: configuration)
            try writer.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0; CREATE TABLE note (text)")
            }
            checkpointer = Checkpointer { try DatabaseQueue(path: path) }
        }

        func write(_ count: Int, upTo sequence: Int64) throws {
            try writer.write { database in
                for _ in 0..<count { try database.execute(sql: "INSERT INTO note VALUES ('x')") }
            }
            checkpointer.wrote(upTo: sequence)
        }

        /// The number of notes in the file without its log, after started checkpoints have ended.
        func notesInFile() throws -> Int? {
            try checkpointer.close()
            let copy = file.deletingLastPathComponent().appendingPathComponent("\(UUID()).sqlite")
            try FileManager.default.copyItem(at: file, to: copy)
            let queue = try DatabaseQueue(path: copy.path)
            return try queue.read { database in
                guard try database.tableExists("note") else { return nil }
                return try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM note")
            }
        }
    }

    private func read(_ times: Int, _ desk: Desk) {
        for _ in 0..<times { desk.checkpointer.read() }
    }

    @Test("After many changes, successive reads run a checkpoint")
    func folds() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            try desk.write(10, upTo: Checkpointer.changes)
            read(Checkpointer.reads, desk)
            #expect(try desk.notesInFile() == 10)
        }
    }

    @Test("A write between the reads postpones the checkpoint, and so does a short log")
    func waits() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            try desk.write(10, upTo: Checkpointer.changes - 1)
            read(10 * Checkpointer.reads, desk)
            try desk.write(10, upTo: Checkpointer.changes)
            read(Checkpointer.reads - 1, desk)
            try desk.write(10, upTo: Checkpointer.changes + 1)
            read(Checkpointer.reads - 1, desk)
            #expect(try desk.notesInFile() == nil)
        }
    }

    @Test("Changes from before the opening do not count, and no checkpoint begins after the end")
    func bounds() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            desk.checkpointer.opened(at: Checkpointer.changes)
            try desk.write(10, upTo: Checkpointer.changes + 1)
            read(10 * Checkpointer.reads, desk)
            #expect(try desk.notesInFile() == nil)
            try desk.write(10, upTo: 3 * Checkpointer.changes)
            read(10 * Checkpointer.reads, desk)
            #expect(try desk.notesInFile() == nil)
        }
    }

    @Test("A checkpoint that an old snapshot limits is completed later")
    func isInTheWay() async throws {
        try await withFolder { folder in
            let desk = try Desk(folder)
            try desk.write(10, upTo: 1)
            let reader = try DatabasePool(path: desk.file.path)
            let snapshot = try reader.makeSnapshot()
            _ = try await snapshot.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM note") }
            try desk.write(10, upTo: Checkpointer.changes)
            read(Checkpointer.reads, desk)
            try desk.checkpointer.settle()
            try snapshot.close()
            try reader.close()
            read(Checkpointer.reads, desk)
            #expect(try desk.notesInFile() == 20)
        }
    }
}
