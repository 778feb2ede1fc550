import CloudSync
import Cloudlet
import Foundation
import Synchronization
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("A power failure during a sync", .timeLimit(.minutes(30)))
struct PowerFailureTests {
    /// Syncs a replica on a disk, which fails when the status says so. Returns the replica as it is then.
    private func fail(
        _ disk: FailingDisk, _ device: Device, when isTime: @escaping @Sendable (SyncProgress) -> Bool
    ) async throws -> LocalReplica {
        let copy = disk.folder.appendingPathExtension("failed")
        let failure = Mutex<(any Error)?>(nil)
        let replica = try replica(on: disk)
        let sync = sync(device, replica) { status in
            guard isTime(status.progress), !FileManager.default.fileExists(atPath: copy.path) else { return }
            do { try disk.copy(to: copy, isPowerFailure: true) } catch { failure.withLock { $0 = error } }
        }
        try await sync.waitUntilIdle()
        try replica.close()
        if let error = failure.withLock(\.self) { throw error }
        return try LocalReplica(folder: copy)
    }

    private func replica(on disk: FailingDisk) throws -> LocalReplica {
        disk.restart()
        return try LocalReplica(
            folder: disk.folder, fileSystem: FileSystemCalls { try disk.noteFlush(of: $0) })
    }

    private func sync(
        _ device: Device, _ replica: LocalReplica, report: @escaping @Sendable (SyncStatus) -> Void = { _ in }
    ) -> CloudSync {
        var configuration = device.sync.configurationForTests
        configuration.subscribes = false
        configuration.report = report
        return CloudSync(container: device.container, replica: replica, configuration: configuration)
    }

    private func text(_ name: String, in replica: LocalReplica) async throws -> FieldValue? {
        try await replica.read { try $0.record(RecordID(name: name, zone: "Notes")) }?[field: "text"]
    }

    private func write(_ text: String, to name: String, in replica: LocalReplica) async throws {
        try await replica.write { writer in
            let id = RecordID(name: name, zone: "Notes")
            var note = try writer.reader.record(id) ?? ReplicaRecord(type: "Note", id: id)
            note[field: "text"] = .string(text)
            try writer.save(note)
        }
    }

    @Test("A page that is lost is lost with its token, and fetched again")
    func page() async throws {
        try await withFolder { folder in
            let (phone, tablet) = try await SyncWorld.pair("powerpage")
            let disk = FailingDisk(folder.appendingPathComponent("tablet"))
            try await phone.write("first", to: "a")
            try await phone.sync.waitUntilIdle()
            let before = try replica(on: disk)
            try await sync(tablet, before).waitUntilIdle()
            try before.close()
            try await phone.write("second", to: "b")
            try await phone.sync.waitUntilIdle()
            let after = try await fail(disk, tablet) { $0.fetched > 0 }
            #expect(try await text("a", in: after) == .string("first"))
            #expect(try await text("b", in: after) == nil)
            try await sync(tablet, after).waitUntilIdle()
            #expect(try await text("b", in: after) == .string("second"))
            try after.close()
        }
    }

    @Test("An answer that is lost is that of an unanswered batch: what was deleted since does not come back")
    func answer() async throws {
        try await withFolder { folder in
            let (phone, tablet) = try await SyncWorld.pair("poweranswer")
            let disk = FailingDisk(folder.appendingPathComponent("phone"))
            let before = try replica(on: disk)
            for name in ["a", "b"] { try await write("here", to: name, in: before) }
            try before.close()
            let after = try await fail(disk, phone) { $0.sent > 0 }
            let pending = try await after.read { try $0.pendingChanges() }
            #expect(pending.map(\.id.name) == ["a", "b"])
            try await tablet.sync.waitUntilIdle()
            try await tablet.write("there", to: "a")
            try await tablet.replica.write { try $0.delete(RecordID(name: "b", zone: "Notes")) }
            try await tablet.sync.waitUntilIdle()
            try await sync(phone, after).waitUntilIdle()
            #expect(try await text("a", in: after) == .string("there"))
            #expect(try await text("b", in: after) == nil)
            #expect(try await after.read { try $0.pendingChanges() } == [])
            try after.close()
        }
    }
}
