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

@Suite("Charging writes that are committed in one group")
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

    @Test("Marking notifications as read takes the turn of its person, as other writes do")
    func markings() async throws {
        try await withFolder { folder in
            let store = try SQLiteStore(
                file: folder.appendingPathComponent("turns.sqlite"), durability: .process, newIdentity: 7,
                codec: FieldJSON())
            let world = World(store: store)
            for person in ["_bob", "_eve"] { try await world.subscribe(query("all"), as: person) }
            try await world.commit([create("a"), create("b")])
            let made = try await store.notifications(after: 0, limit: 10, bytes: 1_000_000)
            func id(_ place: Int, of owner: String) -> String {
                made.filter { $0.owner == owner }[place].notification.id
            }
            let markings = [
                ("_bob", id(0, of: "_bob")), ("_bob", id(1, of: "_bob")), ("_eve", id(0, of: "_eve")),
            ]
            let (begun, begin) = AsyncStream.makeStream(of: Void.self)
            let (executor, gate) = (InlineExecutor(), DispatchSemaphore(value: 0))
            // Blocks the writer until all markings wait for it.
            let blocker = Task {
                try await store.write(for: "_first") { _, _ in
                    begin.finish()
                    gate.wait()
                    return (true, ())
                }
            }
            for await _ in begun {}
            let tasks = markings.map { owner, id in
                Task(executorPreference: executor) {
                    let stamp = Stamp(at: Timestamp(milliseconds: 1), by: owner)
                    return try await store.markNotificationsRead([id], of: owner, by: stamp)
                }
            }
            gate.signal()
            try await blocker.value
            for task in tasks { #expect(try await task.value.count == 1) }
            let last = made.last?.number ?? 0
            let told = try await store.notifications(after: last, limit: 10, bytes: 1_000_000)
            #expect(told.map(\.owner) == ["_bob", "_eve", "_bob"])
            try await world.finish()
        }
    }
}
