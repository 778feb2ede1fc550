import Dispatch
import Foundation
import RecordStore
import Records
import RecordsWire
import SQLiteSupport
import Synchronization
import Testing

@testable import RecordStoreSQLite
@testable import TestKit

@Suite("Charging batches that are committed in one group")
struct GroupPaymentTests {
    /// Runs a task on the thread that resumes it, so that a new task has begun to wait when its creation
    /// returns.
    private final class InlineExecutor: TaskExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    @Test("A batch that runs again because another one of its group is refused pays once")
    func rerun() async throws {
        try await withFolder { folder in
            let store = try SQLiteStore(
                file: folder.appendingPathComponent("group.sqlite"), durability: .process, newIdentity: 7,
                codec: FieldJSON())
            let world = World(store: store)
            try await world.commit([create("root"), create("stays")])
            try await world.commit((0..<9).map { create("leaf\($0)", ["to": link("root", .deleteSelf)]) })
            let paid = Mutex(0)
            let runs = Mutex(0)
            let account = FollowedRecords {
                nil
            } charge: { records in
                paid.withLock { $0 += records }
            }
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let (executor, gate) = (InlineExecutor(), DispatchSemaphore(value: 0))
            // Blocks the writer until both batches wait for it, and so are in one group.
            let blocker = Task {
                try await store.write(for: "_first") { _, _ in
                    begin.finish()
                    gate.wait()
                    return (true, ())
                }
            }
            for await _ in begun {}
            let deletion = Task(executorPreference: executor) {
                try await world.commit([delete("root")], paying: account) { _, _ in
                    runs.withLock { $0 += 1 }
                    return nil
                }
            }
            let refused = Task(executorPreference: executor) {
                try await world.commit([create("stays"), create("other")], atomic: true, by: "_zoe")
            }
            gate.signal()
            try await blocker.value
            let results = try await deletion.value
            #expect(results.map(\.brief) == ["-root"])
            let others = try await refused.value
            #expect(others.count == 2)
            #expect(runs.withLock { $0 } == 2)
            // Nine leaves are read, and ten records deleted.
            #expect(paid.withLock { $0 } == 19)
            try await world.finish()
        }
    }
}
