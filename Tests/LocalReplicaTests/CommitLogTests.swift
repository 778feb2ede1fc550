import Foundation
import GRDB
import Records
import Synchronization
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("The flushing of a replica's transactions")
struct CommitLogTests {
    private struct Failure: Error {}

    private func save(_ name: String) -> @Sendable (ReplicaWriter) throws -> Void {
        { try $0.save(ReplicaRecord(type: "Note", id: RecordID(name: name, zone: "Notes"))) }
    }

    private func names(in replica: LocalReplica) async throws -> [String] {
        try await replica.read { try $0.records(ofType: "Note", in: "Notes").map(\.id.name) }
    }

    @Test("SQLite flushes each transaction of write, whatever came before")
    func levels() async throws {
        try await withFolder { folder in
            let replica = try LocalReplica(folder: folder)
            let level: @Sendable (ReplicaWriter) throws -> Int? = {
                try Int.fetchOne($0.database, sql: "PRAGMA synchronous")
            }
            #expect(try await replica.write(level) == 2)
            #expect(try await replica.writeUnflushed(level) == 1)
            #expect(try await replica.writeWithoutCancellation(level) == 2)
            await #expect(throws: Failure.self) { try await replica.writeUnflushed { _ in throw Failure() } }
            #expect(try replica.writeBlocking(level) == 2)
            try replica.close()
        }
    }

    @Test("A power failure undoes the transactions since the last flush, the end of the process none")
    func powerFailure() async throws {
        try await withFolder { folder in
            let disk = FailingDisk(folder.appendingPathComponent("replica"))
            let replica = try LocalReplica(
                folder: disk.folder, fileSystem: FileSystemCalls { try disk.noteFlush(of: $0) })
            try await replica.write(save("a"))
            try await replica.writeUnflushed(save("b"))
            try await replica.flush()
            try await replica.writeUnflushed(save("c"))
            try await replica.writeUnflushed(save("d"))
            let killed = folder.appendingPathComponent("killed")
            try disk.copy(to: killed, isPowerFailure: false)
            let failed = folder.appendingPathComponent("failed")
            try disk.copy(to: failed, isPowerFailure: true)
            try replica.close()
            for (place, names) in [(killed, ["a", "b", "c", "d"]), (failed, ["a", "b"])] {
                let next = try LocalReplica(folder: place)
                #expect(try await self.names(in: next) == names)
                try next.close()
            }
        }
    }

    @Test("A torn log has the transactions before the torn one, and all flushed ones")
    func torn() async throws {
        try await withFolder { folder in
            let disk = FailingDisk(folder.appendingPathComponent("replica"))
            let replica = try LocalReplica(
                folder: disk.folder, fileSystem: FileSystemCalls { try disk.noteFlush(of: $0) })
            try await replica.writeUnflushed(save("a"))
            try await replica.flush()
            let all = ["a", "b", "c"]
            for name in all.dropFirst() { try await replica.writeUnflushed(save(name)) }
            var counts: Set<Int> = []
            for bytes in stride(from: 0, through: try disk.unflushedBytes(), by: 2060) {
                let place = folder.appendingPathComponent("\(bytes)")
                try disk.copy(to: place, isPowerFailure: true, kept: bytes)
                let next = try LocalReplica(folder: place)
                let found = try await self.names(in: next)
                #expect(found == Array(all.prefix(found.count)))
                counts.insert(found.count)
                try await next.write(save("z"))
                #expect(try await self.names(in: next) == found + ["z"])
                try next.close()
            }
            #expect(counts == [1, 2, 3])
            try replica.close()
        }
    }

    @Test("What an ended process has not flushed is on disk when the next one has opened the replica")
    func leftovers() async throws {
        try await withFolder { folder in
            let first = FailingDisk(folder.appendingPathComponent("first"))
            let before = try LocalReplica(folder: first.folder)
            try await before.write(save("a"))
            try await before.writeUnflushed(save("b"))
            let second = FailingDisk(folder.appendingPathComponent("second"))
            try first.copy(to: second.folder, isPowerFailure: false)
            try before.close()
            let replica = try LocalReplica(folder: second.folder)
            let failed = folder.appendingPathComponent("failed")
            try second.copy(to: failed, isPowerFailure: true)
            try replica.close()
            let next = try LocalReplica(folder: failed)
            #expect(try await names(in: next) == ["a", "b"])
            try next.close()
        }
    }

    @Test("Only the first flush, and the first one after a transaction, writes to the disk")
    func flushes() async throws {
        try await withFolder { folder in
            let count = Mutex(0)
            let replica = try LocalReplica(
                folder: folder, fileSystem: FileSystemCalls { _ in count.withLock { $0 += 1 } })
            for _ in 0..<2 { try await replica.flush() }
            #expect(count.withLock(\.self) == 1)
            try await replica.writeUnflushed(save("a"))
            for _ in 0..<2 { try await replica.flush() }
            #expect(count.withLock(\.self) == 2)
            try replica.close()
        }
    }

    /// Checks that nothing can be changed or flushed, until the replica is opened again.
    private func expectFailed(_ replica: LocalReplica, _ folder: URL, _ names: [String]) async throws {
        await #expect(throws: ReplicaError.self) { try await replica.flush() }
        await #expect(throws: ReplicaError.self) { try await replica.write(save("z")) }
        await #expect(throws: ReplicaError.self) { try await replica.writeUnflushed(save("z")) }
        #expect(throws: ReplicaError.self) { try replica.writeBlocking(save("z")) }
        #expect(try await self.names(in: replica) == names)
        try replica.close()
        let next = try LocalReplica(folder: folder)
        try await next.write(save("z"))
        #expect(try await self.names(in: next) == names + ["z"])
        try next.close()
    }

    @Test("After a flush that failed, a later one does not count: the replica must be opened again")
    func failedFlush() async throws {
        try await withFolder { folder in
            let fails = Mutex(true)
            let fileSystem = FileSystemCalls { _ in if fails.withLock(\.self) { throw Failure() } }
            let replica = try LocalReplica(folder: folder, fileSystem: fileSystem)
            try await replica.writeUnflushed(save("a"))
            await #expect(throws: ReplicaError.self) { try await replica.flush() }
            fails.withLock { $0 = false }
            try await expectFailed(replica, folder, ["a"])
        }
    }

    @Test(
        "After a commit whose flush failed in SQLite, the replica must be opened again",
        arguments: [ResultCode.SQLITE_IOERR_FSYNC.rawValue, ResultCode.SQLITE_IOERR_DIR_FSYNC.rawValue])
    func failedCommit(code: Int32) async throws {
        try await withFolder { folder in
            let replica = try LocalReplica(folder: folder)
            try await replica.writeUnflushed(save("a"))
            await #expect(throws: ReplicaError.self) {
                try await replica.write { (_: ReplicaWriter) -> Void in
                    throw DatabaseError(resultCode: ResultCode(rawValue: code))
                }
            }
            try await expectFailed(replica, folder, ["a"])
        }
    }
}
