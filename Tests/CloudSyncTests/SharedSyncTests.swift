import CloudSync
import Cloudlet
import CloudletTesting
import Foundation
import LocalReplica
import Testing

@testable import TestKit

@Suite("A sync of the shared database", .timeLimit(.minutes(30)))
struct SharedSyncTests {
    private let own = SharedNotes.ownZone

    @Test("A zone appears after its share is accepted, and both people edit the one copy")
    func edit() async throws {
        let notes = try await SharedNotes(of: "edit-alice", with: "edit-bob")
        let alice = try await SyncWorld.device(of: "edit-alice", "phone")
        let bob = try await SyncWorld.device(of: "edit-bob", "phone", scope: .shared)
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.replica.read { try $0.zones() } == [])
        try await notes.open()
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        #expect(try await bob.text("root", in: notes.zone) == "root")
        #expect(try await bob.replica.read { try $0.zones().map(\.id) } == [notes.zone])
        try await bob.write("root by bob", to: "root", in: notes.zone)
        try await bob.write("a line", to: "line", in: notes.zone)
        try await alice.write("alice's root", to: "root", in: own)
        for device in [bob, alice, bob] { try await device.sync.waitUntilIdle() }
        let text = try await alice.text("root", in: own)
        #expect(text == "alice's root by bob")
        #expect(try await bob.text("root", in: notes.zone) == text)
        let line = try await alice.replica.read { try $0.record(RecordID(name: "line", zone: "Notes")) }
        #expect(line?.parent == "root")
        #expect(line?.keys == ["text"])
        try await alice.replica.write { try $0.delete(RecordID(name: "line", zone: "Notes")) }
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        #expect(try await bob.text("line", in: notes.zone) == nil)
    }

    @Test("A file that a participant adds arrives on the owner's device")
    func files() async throws {
        let notes = try await SharedNotes(of: "files-alice", with: "files-bob")
        let alice = try await SyncWorld.device(of: "files-alice", "phone")
        let bob = try await SyncWorld.device(of: "files-bob", "phone", scope: .shared)
        try await notes.open()
        try await bob.sync.waitUntilIdle()
        let file = bob.files.appendingPathExtension("new")
        try Data("photo".utf8).write(to: file)
        defer { file.remove() }
        let asset = try bob.replica.keepFile(at: file)
        let zone = notes.zone
        try await bob.replica.write { writer in
            var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "bill", zone: zone))
            bill.parent = "root"
            bill[field: "photo"] = .asset(asset)
            try writer.save(bill)
        }
        for device in [bob, alice] { try await device.sync.waitUntilIdle() }
        let stored = try #require(alice.replica.file(of: asset))
        #expect(try Data(contentsOf: stored) == Data("photo".utf8))
    }

    @Test("A record is refused without its parent, and sent again with it")
    func parent() async throws {
        let notes = try await SharedNotes(of: "parent-alice", with: "parent-bob")
        let bob = try await SyncWorld.device(of: "parent-bob", "phone", scope: .shared)
        try await notes.open()
        try await bob.sync.waitUntilIdle()
        let zone = notes.zone
        func write(_ name: String, under parent: String?) async throws {
            try await bob.replica.write { writer in
                var note = ReplicaRecord(type: "Note", id: RecordID(name: name, zone: zone))
                note.parent = parent
                try writer.save(note)
            }
            try await bob.sync.waitUntilIdle()
        }
        try await write("child", under: "chapter")
        try await write("alone", under: nil)
        #expect(try await bob.pending() == ["create child refused", "create alone refused"])
        try await write("chapter", under: "root")
        #expect(try await bob.pending() == ["create alone refused"])
        try await write("alone", under: "root")
        #expect(try await bob.pending() == [])
        let children = try await bob.replica.read { try $0.record(RecordID(name: "child", zone: zone)) }
        #expect(children?.parent == "chapter")
    }

    @Test("Zones of two owners with the same name stay separate (N61)")
    func twoOwners() async throws {
        let alice = try await SharedNotes(of: "two-alice", with: "two-bob")
        let carol = try await SharedNotes(of: "two-carol", with: "two-bob")
        let bob = try await SyncWorld.device(of: "two-bob", "phone", scope: .shared)
        for notes in [alice, carol] { try await notes.open() }
        try await bob.sync.waitUntilIdle()
        try await bob.write("to alice", to: "n", in: alice.zone)
        try await bob.write("to carol", to: "n", in: carol.zone)
        try await bob.sync.waitUntilIdle()
        for (name, zone) in [("alice", alice.zone), ("carol", carol.zone)] {
            let device = try await SyncWorld.device(of: "two-\(name)", "phone")
            try await device.sync.waitUntilIdle()
            #expect(try await device.text("n", in: own) == "to \(name)")
            #expect(try await bob.text("n", in: zone) == "to \(name)")
        }
        try await alice.stop()
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.text("n", in: alice.zone) == nil)
        #expect(try await bob.text("n", in: carol.zone) == "to carol")
    }

    @Test("When an owner's storage is full, only the edits of this owner's zones wait, for an hour")
    func fullOwner() async throws {
        let alice = try await SharedNotes(of: "full-alice", with: "full-bob")
        let carol = try await SharedNotes(of: "full-carol", with: "full-bob")
        let bob = try await SyncWorld.device(of: "full-bob", "phone", scope: .shared)
        for notes in [alice, carol] { try await notes.open() }
        try await bob.sync.waitUntilIdle()
        try await bob.write("to alice", to: "n", in: alice.zone)
        try await bob.write("to carol", to: "n", in: carol.zone)
        // Bob's batch to Alice is sent first.
        bob.fault(.quotaFull, on: "records/modify")
        let status = try await bob.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.until == bob.clock.now.addingTimeInterval(3600))
        #expect(
            status.why.hasPrefix("the storage of \(alice.zone.owner ?? ""), who owns the zone Notes, is full")
        )
        #expect(status.why.hasSuffix("ask the owner to make room"))
        #expect(try await bob.pending() == ["create n"])
        let owner = try await SyncWorld.device(of: "full-carol", "phone")
        try await owner.sync.waitUntilIdle()
        #expect(try await owner.text("n", in: own) == "to carol")

        // Neither a further pass nor a new edit sends to Alice before the wait is over.
        try await bob.write("to carol again", to: "n", in: carol.zone)
        try await bob.write("root by bob", to: "root", in: alice.zone)
        let further = try await bob.sync.sync()
        #expect(further.until == status.until)
        #expect(try await bob.pending() == ["create n", "update root"])
        try await owner.sync.waitUntilIdle()
        #expect(try await owner.text("n", in: own) == "to carol again")
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.pending() == [])
    }

    @Test("An unanswered batch for an owner with full storage delays no other owner's zones")
    func fullOwnerInDoubt() async throws {
        let alice = try await SharedNotes(of: "doubt-alice", with: "doubt-bob")
        let carol = try await SharedNotes(of: "doubt-carol", with: "doubt-bob")
        let bob = try await SyncWorld.device(of: "doubt-bob", "phone", scope: .shared)
        for notes in [alice, carol] { try await notes.open() }
        try await bob.sync.waitUntilIdle()
        try await bob.write("to alice", to: "n", in: alice.zone)
        bob.fault(.networkFailureBefore, on: "records/modify")
        _ = try await bob.sync.sync()
        try await bob.write("to carol", to: "n", in: carol.zone)
        bob.fault(.quotaFull, on: "records/modify")
        bob.clock.advance(bySeconds: 60)
        let status = try await bob.sync.sync()
        #expect(status.activity == .waiting)
        #expect(status.why.contains("the storage of \(alice.zone.owner ?? "")"))
        #expect(try await bob.pending() == ["create n"])
        let owner = try await SyncWorld.device(of: "doubt-carol", "phone")
        try await owner.sync.waitUntilIdle()
        #expect(try await owner.text("n", in: own) == "to carol")
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.pending() == [])
    }

    @Test("An edit without permission stays, delays no other, and is sent once it is permitted")
    func permission() async throws {
        let notes = try await SharedNotes(of: "permit-alice", with: "permit-bob")
        let carol = try await SharedNotes(of: "permit-carol", with: "permit-bob")
        let bob = try await SyncWorld.device(of: "permit-bob", "phone", scope: .shared)
        for zone in [notes, carol] { try await zone.open() }
        try await bob.sync.waitUntilIdle()
        bob.link.isCut = true
        try await bob.write("root by bob", to: "root", in: notes.zone)
        try await bob.write("to carol", to: "n", in: carol.zone)
        _ = try await bob.sync.sync()
        bob.link.isCut = false
        try await notes.open(.readOnly)
        let status = try await bob.sync.sync()
        #expect(status.why.contains("refused 1 edit (root)"))
        #expect(try await bob.pending() == ["update root refused"])
        #expect(try await bob.text("root", in: notes.zone) == "root by bob")
        try await notes.open(.readWrite)
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.pending() == [])
        let alice = try await SyncWorld.device(of: "permit-alice", "phone")
        try await alice.sync.waitUntilIdle()
        #expect(try await alice.text("root", in: own) == "root by bob")
    }

    @Test("When a share ends while offline, records are removed; edits wait for it and are merged")
    func ended() async throws {
        let notes = try await SharedNotes(of: "ended-alice", with: "ended-bob")
        let alice = try await SyncWorld.device(of: "ended-alice", "phone")
        let bob = try await SyncWorld.device(of: "ended-bob", "phone", scope: .shared)
        try await notes.open()
        for name in ["kept", "edited", "deleted"] { try await alice.write("old", to: name, in: own) }
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        bob.link.isCut = true
        try await bob.write("old and bob's", to: "edited", in: notes.zone)
        let zone = notes.zone
        try await bob.replica.write { try $0.delete(RecordID(name: "deleted", zone: zone)) }
        _ = try await bob.sync.sync()
        try await notes.stop()
        bob.link.isCut = false
        let blocked = await #expect(throws: SyncBlocked.self) { try await bob.sync.waitUntilIdle() }
        #expect(blocked?.status.why.contains("2 edits wait: the zone Notes of ") == true)
        #expect(blocked?.status.why.contains("is no longer shared with this person") == true)
        #expect(try await bob.text("kept", in: zone) == nil)
        #expect(try await bob.pending() == ["update edited", "delete deleted"])
        #expect(
            try await bob.conflicts().sorted() == [
                "deleted: edited here, zone no longer shared: set aside",
                "edited: edited here, zone no longer shared: set aside",
            ])
        try await alice.write("alice's old", to: "edited", in: own)
        try await alice.sync.waitUntilIdle()
        try await notes.open()
        for device in [bob, alice, bob] { try await device.sync.waitUntilIdle() }
        #expect(try await bob.pending() == [])
        #expect(try await alice.text("edited", in: own) == "alice's old and bob's")
        #expect(try await bob.text("kept", in: zone) == "old")
        for device in [(alice, own), (bob, zone)] {
            #expect(try await device.0.text("deleted", in: device.1) == nil)
        }
    }

    @Test("An edit to a record that leaves the share and comes back is merged from the version it changed")
    func leftAndBack() async throws {
        let notes = try await SharedNotes(of: "back-alice", with: "back-bob")
        let sums: (inout SyncConfiguration) -> Void = { $0.policy["Note", "count"] = .sum }
        let alice = try await SyncWorld.device(of: "back-alice", "phone", change: sums)
        let bob = try await SyncWorld.device(of: "back-bob", "phone", scope: .shared, change: sums)
        let zone = notes.zone
        try await notes.open()
        try await alice.change("line", in: own) { line in
            line.parent = "root"
            line[field: "text"] = .string("one two")
            (line[field: "done"], line[field: "count"]) = (.int64(0), .int64(10))
        }
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        try await bob.change("line", in: zone) { line in
            line[field: "text"] = .string("one two three")
            line[field: "count"] = .int64(11)
        }
        try await alice.change("line", in: own) { $0.parent = nil }
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        #expect(try await bob.pending() == ["create line refused"])
        // Further edits keep the merge base while the record is outside of the share.
        try await bob.change("line", in: zone) { $0[field: "text"] = .string("one two three four") }
        try await bob.sync.waitUntilIdle()
        try await alice.change("line", in: own) { line in
            line[field: "text"] = .string("two")
            (line[field: "done"], line[field: "count"]) = (.int64(1), .int64(15))
            line.parent = "root"
        }
        for device in [alice, bob, alice] { try await device.sync.waitUntilIdle() }
        #expect(try await bob.pending() == [])
        for (device, zone) in [(alice, own), (bob, zone)] {
            let line = try await device.replica.read { try $0.record(RecordID(name: "line", zone: zone)) }
            #expect(line?[field: "text"] == .string("two three four"))
            #expect(line?[field: "done"] == .int64(1))
            #expect(line?[field: "count"] == .int64(16))
            #expect(line?.parent == "root")
        }
    }

    @Test("A participant who leaves or is removed keeps no record, and gets all when the person joins again")
    func rejoin() async throws {
        let notes = try await SharedNotes(of: "rejoin-alice", with: "rejoin-bob")
        let bob = try await SyncWorld.device(of: "rejoin-bob", "phone", scope: .shared)
        try await notes.open()
        try await bob.sync.waitUntilIdle()
        let zone = notes.zone
        for end in [notes.leave, notes.remove] {
            try await end()
            try await bob.sync.waitUntilIdle()
            #expect(try await bob.replica.read { try $0.count(in: zone) } == 0)
            try await notes.open()
            try await bob.sync.waitUntilIdle()
            #expect(try await bob.text("root", in: zone) == "root")
        }
    }

    @Test("Edits in a zone that is no longer shared can be discarded")
    func discard() async throws {
        let notes = try await SharedNotes(of: "discard-alice", with: "discard-bob")
        let bob = try await SyncWorld.device(of: "discard-bob", "phone", scope: .shared)
        try await notes.open()
        try await bob.sync.waitUntilIdle()
        try await bob.write("root by bob", to: "root", in: notes.zone)
        try await notes.stop()
        await #expect(throws: SyncBlocked.self) { try await bob.sync.waitUntilIdle() }
        let zone = notes.zone
        try await bob.replica.write { try $0.discardEdits(in: zone) }
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.replica.read { try $0.count(in: zone) } == 0)
    }

    @Test("A share in a replica is restored with its participants")
    func shares() async throws {
        let notes = try await SharedNotes(of: "shares-alice", with: "shares-bob")
        let alice = try await SyncWorld.device(of: "shares-alice", "phone")
        let bob = try await SyncWorld.device(of: "shares-bob", "phone", scope: .shared)
        try await notes.open()
        for device in [alice, bob] { try await device.sync.waitUntilIdle() }
        let stored = try await notes.share()
        for (device, zone) in [(alice, own), (bob, notes.zone)] {
            let share = try #require(try await device.replica.shares(in: zone).first)
            // A guest has tags of the guest's own.
            #expect((share.recordChangeTag == stored?.recordChangeTag) == (zone.owner == nil))
            #expect(share.participants.count == 2)
            #expect(share.participants.last?.acceptanceStatus == .accepted)
            #expect(share.recordID.zoneID.ownerName == zone.owner ?? CKCurrentUserDefaultName)
        }
        let share = try #require(try await bob.replica.shares(in: notes.zone).first)
        #expect(share.currentUserParticipant?.role == .privateUser)
        try await bob.container.sharedCloudDatabase.deleteRecord(withID: share.recordID)
        try await bob.sync.waitUntilIdle()
        #expect(try await bob.replica.shares(in: notes.zone).isEmpty)
    }

    @Test("A replica of one database is refused for the other")
    func otherDatabase() async throws {
        let device = try await SyncWorld.device(of: "other-database", "phone")
        try await device.sync.waitUntilIdle()
        let other = CloudSync(
            container: device.container, replica: device.replica, scope: .shared,
            configuration: device.sync.configurationForTests)
        let error = await #expect(throws: ReplicaError.self) { try await other.sync() }
        #expect(error?.code == .otherDatabase)
    }
}
