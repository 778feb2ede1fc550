// Owns the proof that two devices of one person come to have the same.
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Testing

@testable import TaskBook

@Suite("TaskBook")
final class TaskBookTests {
    /// What the devices keep; removed at the end of each test.
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("TaskBookTests-\(UUID().uuidString)")

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func device(_ name: String, in world: CloudletWorld) async throws -> Device {
        try Device(
            folder: folder.appendingPathComponent(name),
            connection: try await world.connection(of: "alice", on: name),
            now: { world.clock.now },
            pause: { world.clock.advance(bySeconds: $0 / .seconds(1)) })
    }

    @Test("What is typed on one device is on the other")
    func syncs() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await device("phone", in: world)
        let tablet = try await device("tablet", in: world)
        var model = Task(id: "1")
        try model.set("title", to: "first")
        try model.set("done", to: "yes")
        try model.set("due", to: "2026-07-04T18:00:00Z")
        try await phone.repository.save(model)
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        let found = try #require(try await tablet.repository.all(Task.self).first)
        #expect(found == model)
        #expect(found.title == "first")
        #expect(found.done == true)
        #expect(found.due == Date(timeIntervalSince1970: 1_783_188_000))
        try await tablet.repository.delete("1")
        try await tablet.sync.waitUntilIdle()
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.repository.all(Task.self).isEmpty)
        await world.stop()
    }
    @Test("Fields that this version knows nothing of stay")
    func unknownFields() {
        var record = ReplicaRecord(
            type: Task.recordType, id: ReplicaID(zone: Repository.zone, name: "1"))
        record["ofTheFuture"] = "kept"
        Task(record).write(to: &record)
        #expect(record["ofTheFuture"] == "kept")
    }
}
