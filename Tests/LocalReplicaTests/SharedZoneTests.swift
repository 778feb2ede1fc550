import Foundation
import Records
import Testing

@testable import LocalReplica
@testable import TestKit

@Suite("Zones of other people in a replica", .timeLimit(.minutes(30)))
struct SharedZoneTests {
    @Test("Zones with the same name and different owners have separate records, tokens and edits")
    func owners() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: .unused())
        let zones = ["alice", "carol"].map { ZoneID(name: "Notes", owner: $0) }
        let ids = zones.map { RecordID(name: "n1", zone: $0) }
        try await replica.write { writer in
            for id in ids {
                var note = ReplicaRecord(type: "Note", id: id)
                note[field: "text"] = .string(id.zone.owner ?? "")
                try writer.save(note)
            }
            try writer.setToken(Data([7]), of: zones[0], moreComing: false)
        }
        let found = try await replica.read { reader in
            try zones.map { try reader.records(ofType: "Note", in: $0).map { $0[field: "text"] } }
        }
        #expect(found == [["alice"], ["carol"]])
        #expect(try await replica.read { try $0.zones() }.map(\.id) == zones)
        #expect(try await replica.read { try $0.pendingChanges() }.map(\.id) == ids)
        #expect(try await replica.read { try $0.token(of: zones[0]) } == Data([7]))
        #expect(try await replica.read { try $0.token(of: zones[1]) } == nil)
        #expect(try await replica.read { try $0.count(in: "Notes") } == 0)
        #expect(try await replica.read { try $0.sendable(limit: 9) }.map(\.id) == [ids[0]])
        let refused = [zones[1]]
        #expect(try await replica.read { try $0.sendableCount() } == 2)
        #expect(try await replica.read { try $0.sendableCount(besides: refused) } == 1)
        // Edits and unanswered batches in zones of the owner who is left out do not count.
        let full: [String?] = ["alice"]
        #expect(try await replica.read { try $0.sendableCount(excludingOwners: full) } == 1)
        try await replica.write { try $0.markSent(try $0.reader.sendable(limit: 9)) }
        #expect(try await replica.read { try $0.unansweredBatch()?.zone } == zones[0])
        #expect(try await replica.read { try $0.unansweredBatch(excludingOwners: full) == nil })
        let others = try await replica.read { try $0.sendable(limit: 9, excludingOwners: full) }
        #expect(others.map(\.id) == [ids[1]])
        #expect(
            try await replica.read { try $0.sendable(limit: 9, excludingOwners: [nil]) }.map(\.id) == [ids[0]]
        )
        try await replica.write { _ = try $0.markDeleted(zones[0]) }
        #expect(try await replica.read { try $0.sendable(limit: 9) }.map(\.id) == [ids[1]])
        #expect(try await replica.read { try $0.closedEdits() }.map(\.zone) == [zones[0]])
    }

    @Test("A zone that is no longer shared keeps edits and deletions with the version they are based on")
    func unshared() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: .unused())
        let zone = ZoneID(name: "Notes", owner: "alice")
        let ids = ["deleted", "edited", "kept"].map { RecordID(name: $0, zone: zone) }
        try await replica.write { writer in
            for id in ids {
                let fields: Fields = ["text": Field(.string("old"))]
                let version = ServerVersion(
                    id: id, type: "Note", tag: "1", systemFields: Data([1]), fields: fields)
                try writer.replace(with: [version], in: zone)
            }
            try writer.setToken(Data([7]), of: zone, moreComing: false)
            try writer.delete(ids[0])
            var note = ReplicaRecord(type: "Note", id: ids[1])
            note[field: "text"] = "new"
            try writer.save(note)
            #expect(try writer.markDeleted(zone).map(\.id.name) == ["deleted", "edited"])
        }
        let row = try await replica.read { try $0.row(ids[1]) }
        #expect(row?.tag == "1")
        #expect(row?.serverFields?["text"]?.value == .string("old"))
        #expect(try await replica.read { try $0.row(ids[2]) == nil })
        #expect(try await replica.read { try $0.pendingChanges() }.map(\.closure) == [.deleted, .deleted])
        let released = try await replica.write { try $0.markStale(zone).map(\.id.name) }
        #expect(released == ["deleted", "edited"])
        #expect(try await replica.read { try $0.sendableCount() } == 2)
        let inUse = await #expect(throws: ReplicaError.self) {
            try await replica.write { try $0.discardEdits(in: zone) }
        }
        #expect(inUse?.code == .inUse)
        try await replica.write { writer in
            _ = try writer.markDeleted(zone)
            try writer.discardEdits(in: zone)
        }
        #expect(try await replica.read { try $0.pendingChanges() } == [])
    }

    @Test("The parent of a record is stored, and is not one of its fields")
    func parent() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: .unused())
        let id = RecordID(name: "n1", zone: "Notes")
        var made = ReplicaRecord(type: "Note", id: id)
        made[field: "text"] = "a"
        let orphan = made
        made.parent = "root"
        let note = made
        try await replica.write { try $0.save(note) }
        let stored = try await replica.read { try $0.record(id) }
        #expect(stored == note)
        #expect(stored?.parent == "root")
        #expect(stored?.keys == ["text"])
        made.parent = nil
        #expect(made == orphan)
    }

    @Test("A replica with the records of one database refuses another one, until its data are deleted")
    func scope() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: .unused())
        try await replica.write { try $0.setScope("private") }
        let error = await #expect(throws: ReplicaError.self) {
            try await replica.write { try $0.setScope("shared") }
        }
        #expect(error?.code == .otherDatabase)
        try await replica.write { writer in
            try writer.deleteLocalData()
            try writer.setScope("shared")
        }
    }
}
