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

    @Test("A flush without new transactions does nothing, and one that failed is done again")
    func flushes() async throws {
        try await withFolder { folder in
            let count = Mutex(0)
            let fails = Mutex(false)
            let fileSystem = FileSystemCalls { _ in
                count.withLock { $0 += 1 }
                if fails.withLock(\.self) { throw Failure() }
            }
            let replica = try LocalReplica(folder: folder, fileSystem: fileSystem)
            try await replica.flush()
            #expect(count.withLock(\.self) == 0)
            try await replica.writeUnflushed(save("a"))
            fails.withLock { $0 = true }
            await #expect(throws: ReplicaError.self) { try await replica.flush() }
            fails.withLock { $0 = false }
            try await replica.flush()
            try await replica.flush()
            #expect(count.withLock(\.self) == 2)
            try replica.close()
        }
    }
}
