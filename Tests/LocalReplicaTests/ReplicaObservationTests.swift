import Dispatch
import Foundation
import Records
import Synchronization
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("Observations of a replica", .timeLimit(.minutes(1)))
struct ReplicaObservationTests {
    private struct Failure: Error {}

    private func note(_ name: String) -> ReplicaRecord {
        var note = ReplicaRecord(type: "Note", id: RecordID(name: name, zone: "Notes"))
        note[field: "text"] = "a value"
        return note
    }

    @Test("No transaction waits for the read of an observer")
    func doesNotBlock() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let replica = try LocalReplica(folder: folder)
        let hasWritten = DispatchSemaphore(value: 0)
        var counts = replica.observe { reader in
            let count = try reader.count(in: "Notes")
            if count > 0 { hasWritten.wait() }
            return count
        }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        let note = note("a")
        // If this waited for the observer, the test would hang.
        try await replica.write { try $0.save(note) }
        hasWritten.signal()
        #expect(try await counts.next() == 1)
    }

    @Test("The observer of work gets the same amount again after another transaction")
    func repeats() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let replica = try LocalReplica(folder: folder)
        var amounts = replica.observeWork { _ in 7 }.makeAsyncIterator()
        #expect(try await amounts.next() == 7)
        let note = note("a")
        try await replica.write { try $0.save(note) }
        // If the amount were not reported again, the test would hang.
        #expect(try await amounts.next() == 7)
    }

    @Test("All observers see a transaction, also of tables whose changes SQLite does not report")
    func seesRecords() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let replica = try LocalReplica(folder: folder)
        var observers = (0..<3).map { _ in
            replica.observe { try $0.count(in: "Notes") }.makeAsyncIterator()
        }
        for index in observers.indices {
            let count = try await observers[index].next()
            #expect(count == 0)
        }
        let version = ServerVersion(
            id: RecordID(name: "a", zone: "Notes"), type: "Note", tag: "1", systemFields: Data(),
            fields: Fields())
        try await replica.writeUnflushed { try $0.replace(with: [version], in: "Notes") }
        for index in observers.indices {
            let count = try await observers[index].next()
            #expect(count == 1)
        }
    }

    @Test("Each transaction with an edit calls an observer of edits once, and others do not")
    func edits() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: .unused())
        let (first, second, third) = (note("a"), note("b"), note("c"))
        try await replica.write { try $0.save(first) }
        let calls = Mutex(0)
        let (beginnings, beginning) = AsyncStream.makeStream(of: Void.self)
        let observer = Task {
            try await replica.observeEdits {
                calls.withLock { $0 += 1 }
                beginning.yield()
            }
        }
        // There is an edit already.
        for await _ in beginnings { break }
        #expect(calls.withLock(\.self) == 1)
        try await replica.write { writer in
            try writer.save(second)
            try writer.delete(first.id)
        }
        #expect(calls.withLock(\.self) == 2)
        try await replica.write { _ = try $0.markSent(try $0.reader.sendable(limit: 10)) }
        await #expect(throws: Failure.self) {
            try await replica.write { writer in
                try writer.save(third)
                throw Failure()
            }
        }
        #expect(calls.withLock(\.self) == 2)
        observer.cancel()
        try await observer.value
    }
}
