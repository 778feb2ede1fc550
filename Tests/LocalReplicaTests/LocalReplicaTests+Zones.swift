import Foundation
import Records
import Testing

@testable import LocalReplica
@testable import TestKit

// Closed zones, and a new start.
extension LocalReplicaTests {
    @Test("When a zone is deleted, unedited records are removed and edits are set aside")
    func zoneGone() async throws {
        let replica = try Self.replica()
        let (version, edited) = (version("a", tag: "1"), note("b"))
        var other = ReplicaRecord(type: "Note", id: RecordID(name: "n2", zone: "Notes"))
        other[field: "text"] = "new"
        let made = other
        let unedited = ServerVersion(
            id: RecordID(name: "n3", zone: "Notes"), type: "Note", tag: "1", systemFields: Data([1]),
            fields: Fields())
        try await replica.write { writer in
            try writer.replace(with: [version, unedited], in: "Notes")
            try writer.save(edited)
            try writer.save(made)
            #expect(try writer.markDeleted("Notes").map(\.id.name) == ["n1", "n2"])
        }
        #expect(try await replica.read { try $0.record(unedited.id) } == nil)
        #expect(try await pending(replica) == ["create n1 1", "create n2 1"])
        #expect(try await replica.read { try $0.pendingChanges().map(\.closure) } == [.deleted, .deleted])
        #expect(try await replica.read { try $0.sendableCount() } == 0)
        try await replica.write { try $0.resume("Notes") }
        #expect(try await replica.read { try $0.sendableCount() } == 2)
        try await replica.write { try $0.markPurged("Notes") }
        #expect(try await replica.read { try $0.count(in: "Notes") } == 0)
        try await replica.write { try $0.save(made) }
        #expect(try await replica.read { try $0.sendableCount() } == 0)
        #expect(try await replica.read { try $0.pendingChanges().map(\.closure) } == [.purged])
        try await replica.write { try $0.resume("Notes") }
        #expect(try await replica.read { try $0.sendableCount() } == 1)
    }

    @Test("A new start marks all records as new, also in closed zones, or removes them all")
    func newStart() async throws {
        let replica = try Self.replica()
        let (version, edited) = (version("a", tag: "1"), note("b"))
        var other = ReplicaRecord(type: "Note", id: RecordID(name: "n2", zone: "Old"))
        other[field: "text"] = "aside"
        let aside = other
        try await replica.write { writer in
            try writer.setAccount("alice")
            try writer.replace(with: [version], in: "Notes")
            try writer.setToken(Data([7]), of: "Notes", moreComing: false)
            try writer.setDatabaseToken(Data([8]))
            try writer.save(aside)
            _ = try writer.markDeleted("Old")
            try writer.resendAllRecords()
        }
        #expect(try await Set(pending(replica)) == ["create n1 1", "create n2 1"])
        #expect(try await replica.read { try $0.sendableCount() } == 2)
        #expect(try await replica.read { try $0.account() } == nil)
        #expect(try await replica.read { try $0.token(of: "Notes") } == nil)
        #expect(try await replica.read { try $0.databaseState().token } == nil)
        #expect(try await replica.read { try $0.zones().allSatisfy { !$0.isMade && $0.closure == nil } })
        try await replica.write { writer in
            try writer.save(edited)
            try writer.deleteLocalData()
        }
        #expect(try await pending(replica) == [])
        #expect(try await replica.read { try $0.zones() } == [])
        #expect(try await replica.read { try $0.count(in: "Notes") } == 0)
    }

    @Test("Resuming a zone in use or an unknown zone fails")
    func resume() async throws {
        let replica = try Self.replica()
        let version = version("a", tag: "1")
        try await replica.write { writer in
            try writer.replace(with: [version], in: "Notes")
            try writer.setToken(Data([7]), of: "Notes", moreComing: false)
        }
        for (zone, code) in [("Notes", ReplicaError.Code.inUse), ("Elsewhere", .notFound)] {
            let error = await #expect(throws: ReplicaError.self) {
                try await replica.write { try $0.resume(zone) }
            }
            #expect(error?.code == code)
            #expect(error?.culprit == zone)
        }
        #expect(try await replica.read { try $0.token(of: "Notes") } == Data([7]))
    }

    @Test("A zone that was created again is in use again, with the edits that were set aside")
    func reopened() async throws {
        let replica = try Self.replica()
        let made = note("a")
        var other = ReplicaRecord(type: "Note", id: RecordID(name: "n2", zone: "Notes"))
        other[field: "text"] = "since"
        let since = other
        try await replica.write { writer in
            try writer.save(made)
            _ = try writer.markDeleted("Notes")
            try writer.save(since)
        }
        #expect(try await replica.read { try $0.closedEdits().map(\.edits) } == [2])
        let released = try await replica.write { try $0.markStale("Notes").map(\.id) }
        #expect(released == [made.id])
        #expect(try await replica.read { try $0.sendable(limit: 9).map(\.id.name) } == [made.id.name, "n2"])
        #expect(try await replica.read { try $0.closedEdits().isEmpty })
        #expect(try await replica.read { try $0.zones()[0].isMade })
    }
}
