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
        let model = try filledTask()
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

    /// Each property has another value than in a new one.
    private func filledTask() throws -> Task {
        var model = Task(id: "1")
        try model.set("title", to: "first")
        try model.set("done", to: "yes")
        try model.set("due", to: "2026-07-04T18:00:00Z")
        return model
    }

    @Test("Each property of the task goes into its record and comes back")
    func mapsTask() throws {
        try checkMapper(of: try filledTask())
    }

    /// Each property has another value than in a new one.
    private func filledStep() throws -> Step {
        var model = Step(id: "1")
        try model.set("text", to: "first")
        try model.set("value", to: "7")
        try model.set("weight", to: "1.5")
        return model
    }

    @Test("Each property of the step goes into its record and comes back")
    func mapsStep() throws {
        try checkMapper(of: try filledStep())
    }

    /// Names a property that has no value in this file, or no line in the mapper.
    private func checkMapper<Model: Typeable>(of model: Model) throws {
        func properties(_ model: Model) -> [(name: String, value: String)] {
            Mirror(reflecting: model).children.map { ($0.label ?? "", "\($0.value)") }
        }
        var record = ReplicaRecord(
            type: Model.recordType, id: RecordID(name: model.id, zone: Repository.zone))
        model.write(to: &record)
        let (new, back) = (properties(Model(id: model.id)), properties(Model(record)))
        for (index, property) in properties(model).enumerated() where property.name != "id" {
            #expect(property.value != new[index].value, "give \(property.name) a value in this file")
            #expect(property.value == back[index].value, "the mapper forgets \(property.name)")
        }
    }

    @Test("Fields that this version knows nothing of stay")
    func unknownFields() {
        var record = ReplicaRecord(
            type: Task.recordType, id: RecordID(name: "1", zone: Repository.zone))
        record[field: "ofTheFuture"] = "kept"
        Task(record).write(to: &record)
        #expect(record[field: "ofTheFuture"] == "kept")
    }

    @Test("A folder has the data of one person, and what is not there cannot be deleted")
    func refusals() async throws {
        let start = ["--data", folder.appendingPathComponent("phone").path]
        let add = ["task", "add", "title=first"]
        try await Main.run(["--as", "alice"] + start + add)
        await #expect(throws: Trouble.self) { try await Main.run(["--as", "bob"] + start + add) }
        await #expect(throws: Trouble.self) {
            try await Main.run(start + ["task", "delete", "zzz"])
        }
    }
}
