import Cloudlet
import Foundation
import LocalReplica
import Records
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The text of a note with edits of several devices")
struct NoteTextTests {
    /// A note of Alice that her phone and her tablet have edited, and that both have.
    private func editOnBoth(in world: ShellWorld) async {
        await world.type(
            "as alice", "on phone", "note add Balloons", "sync", "on tablet", "sync",
            "note edit Balloons 'Red balloons'", "note edit 'Red balloons' 'Red Balloons'", "sync",
            "on phone", "sync", "note edit 'Red Balloons' 'Red Balloons today'", "sync", "on tablet", "sync")
        #expect(await world.data("note list").contains("Red Balloons today"))
    }

    /// The records of a type in the zone of the notes, on the server.
    private func records(_ type: String, in world: ShellWorld) async throws -> [CKRecord] {
        let database = await world.container(on: "other").privateCloudDatabase
        let zone = CKRecordZone.ID(zoneName: PersonalRepository.Zone.notes)
        let page = try await database.recordZoneChanges(inZoneWith: zone, since: nil)
        return try page.modificationResultsByID.values.map { try $0.get().record }
            .filter { $0.recordType == type }
    }

    @Test("Each device has one record of edits below the note, and the field `text` is a copy")
    func records() async throws {
        try await ShellWorld.run { world in
            await editOnBoth(in: world)
            let note = try #require(try await records("Note", in: world).first)
            #expect(note["text"] == "Red Balloons today")
            #expect(note["firstText"] == "Balloons")
            let edits = try await records("NoteEdit", in: world)
            #expect(edits.count == 2)
            #expect(Set(edits.compactMap { $0["device"] as? String }).count == 2)
            for edit in edits {
                #expect(edit.parent?.recordID == note.recordID)
                #expect((edit["note"] as? CKRecord.Reference)?.action == .deleteSelf)
            }
        }
    }

    @Test("`conflicts` names the text that is made of both, and the other device has resolved none")
    func conflicts() async throws {
        try await ShellWorld.run { world in
            await world.type(
                "as alice", "on phone", "note add Balloons", "sync", "on tablet", "sync",
                "note edit Balloons 'Balloons today'", "on phone", "note edit Balloons 'Red Balloons'",
                "sync", "on tablet", "sync")
            #expect(await world.data("note list").contains("Red Balloons today"))
            var lines: [String] = []
            for device in ["phone", "tablet"] {
                let outcome = await world.type("on \(device)", "conflicts")[1]
                lines.append(outcome.rendering.data + outcome.rendering.messages)
            }
            #expect(lines.filter { $0.contains("text: made of the edits of both devices") }.count == 1)
            #expect(lines.filter { $0.hasPrefix("this device has resolved no conflicts") }.count == 1)
        }
    }

    @Test("The edits of a note are deleted with it, and `undo` brings all of them back")
    func deletion() async throws {
        try await ShellWorld.run { world in
            await editOnBoth(in: world)
            await world.type("note delete Red --yes", "sync", "sync")
            let gone = try await records("NoteEdit", in: world)
            #expect(gone.isEmpty)
            #expect(await world.data("pending").isEmpty)
            await world.type("undo", "sync", "on phone", "sync")
            #expect(await world.data("note list").contains("Red Balloons today"))
            let restored = try await records("NoteEdit", in: world)
            #expect(restored.count == 2)
            await world.type("on watch", "note add Fresh", "note edit Fresh Stale", "note delete Stale --yes")
            #expect(await world.data("pending").isEmpty)
        }
    }

    @Test(
        "An edit on one device wins over a deletion on another, whichever is sent first", arguments: [0, 1])
    func editAndDeletion(first: Int) async throws {
        try await ShellWorld.run { world in
            await editOnBoth(in: world)
            await world.type("network off", "note edit Red 'Red Balloons tonight'")
            await world.type("on phone", "network off", "note delete Red --yes")
            let devices = ["phone", "tablet"]
            for device in [devices[first], devices[1 - first], devices[first], devices[1 - first]] {
                await world.type("on \(device)", "network on", "sync --wait")
            }
            for device in devices {
                await world.type("on \(device)")
                #expect(await world.data("note list").contains("Red Balloons tonight"), "\(device)")
                #expect(await world.data("pending").isEmpty, "\(device)")
            }
        }
    }

    @Test("A deleted record of edits hides only edits that no other device has received")
    func deletedEdits() async throws {
        try await ShellWorld.run { world in
            await editOnBoth(in: world)
            let database = await world.container(on: "other").privateCloudDatabase
            let edits = try await records("NoteEdit", in: world)
            let shortest = try #require(
                edits.min {
                    ($0["snapshot"] as? Data)?.count ?? 0 < ($1["snapshot"] as? Data)?.count ?? 0
                })
            try await database.deleteRecord(withID: shortest.recordID)
            for device in ["phone", "tablet"] {
                await world.type("on \(device)", "sync")
                #expect(await world.data("note list").contains("Red Balloons today"))
                await world.type("note edit Red 'Red Balloons today, \(device)'", "sync")
            }
            #expect(await world.data("note list").contains("tablet"))
            #expect(await world.runner.run("note list").rendering.messages.contains("skipped") == false)
        }
    }

    @Test("Edits that cannot be read are named, and the rest of the text is shown")
    func unreadableEdits() async throws {
        try await ShellWorld.run { world in
            await editOnBoth(in: world)
            let database = await world.container(on: "other").privateCloudDatabase
            let note = try #require(try await records("Note", in: world).first)
            let id = CKRecord.ID(recordName: "strange", zoneID: note.recordID.zoneID)
            let edit = CKRecord(recordType: "NoteEdit", recordID: id)
            edit["note"] = CKRecord.Reference(record: note, action: .deleteSelf)
            edit["snapshot"] = Data([9, 9])
            try await database.save(edit)
            await world.type("sync")
            let list = await world.runner.run("note list")
            #expect(list.rendering.data.contains("Red Balloons today"))
            #expect(
                list.rendering.messages.contains(
                    "skipped: the NoteEdit record strange has no usable field snapshot"))
            #expect(await world.runner.run("note edit Red 'Red Balloons tonight'").shellError == nil)
        }
    }

    @Test("A device does not write over edits of its own that it cannot read")
    func unreadableOwnEdits() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: FileManager.default.temporaryDirectory)
        let repository = PersonalRepository(replica: replica, device: "phone")
        for text in ["a", "a b"] { try await repository.save(Note(id: "n", text: text)) }
        try await replica.write { writer in
            let id = RecordID(name: "n.phone", zone: PersonalRepository.Zone.notes)
            var edit = try #require(try writer.reader.record(id))
            edit[field: "snapshot"] = Data([9])
            try writer.save(edit)
        }
        let error = RepositoryError.unreadable(
            recordType: "NoteEdit", recordName: "n.phone", field: "snapshot")
        try await repository.save(Note(id: "n", text: "a c"))
        let notes = try await repository.notes()
        #expect(notes.models.map(\.text) == ["a c"])
        #expect(notes.unreadable == [error])
        let kept = try await replica.read {
            try $0.record(RecordID(name: "n.phone", zone: PersonalRepository.Zone.notes))
        }
        #expect(kept?[field: "snapshot"] == Data([9]))
    }

    @Test("Records that a participant forges or overwrites neither lock the note nor divide the devices")
    func hostileEdits() throws {
        func record(_ type: String, _ name: String) -> ReplicaRecord {
            ReplicaRecord(type: type, id: RecordID(name: name, zone: PersonalRepository.Zone.notes))
        }
        var (note, people) = (record("Note", "n"), NoteText.People(me: "alice", owner: "alice"))
        note[field: "text"] = "Balloons"
        func edited(_ new: String, on device: String) throws -> (note: ReplicaRecord, edit: ReplicaRecord) {
            var (changed, edit) = (note, record("NoteEdit", "n.\(device)"))
            var text = try NoteText(of: note, edits: [ReplicaRecord](), by: people, on: device)
            let isChanged = try text.change(to: new, in: &changed, and: &edit)
            #expect(isChanged)
            return (changed, edit)
        }
        let (later, phone) = try edited("Red Balloons", on: "phone")
        let forged: Data = try edited("Sad Balloons", on: "phone").edit.required("snapshot")
        note = later
        people.authors = ["n.phone": ("alice", "alice"), "n.evil": ("mallory", "mallory")]
        var evil = record("NoteEdit", "n.evil")
        for (snapshot, count) in [(forged, 0), (Data([1, 1]), 1), (Data(), 1)] {
            evil[field: "snapshot"] = snapshot
            for (device, edits) in [("phone", [phone, evil]), ("tablet", [evil, phone])] {
                let text = try NoteText(of: note, edits: edits, by: people, on: device)
                #expect(text.string == "Red Balloons")
                #expect(text.unreadable.count == count)
            }
        }

        // She writes into the record of the phone, too.
        var overwritten = phone
        overwritten[field: "snapshot"] = Data([1, 1])
        people.authors["n.phone"] = ("alice", "mallory")
        var text = try NoteText(of: note, edits: [overwritten, evil], by: people, on: "phone")
        #expect(text.ownRecordName == "n.phone.2")
        var edit = record("NoteEdit", text.ownRecordName)
        let isChanged = try text.change(to: "Balloons again", in: &note, and: &edit)
        #expect(isChanged)
        for device in ["phone", "tablet"] {
            let other = try NoteText(of: note, edits: [edit, evil, overwritten], by: people, on: device)
            #expect(other.string == "Balloons again")
        }
    }

    @Test("A note that would be too long for a record is refused, and stays as it was")
    func tooLong() async throws {
        let replica = try LocalReplica(inMemoryWithFiles: FileManager.default.temporaryDirectory)
        let repository = PersonalRepository(replica: replica, device: "phone")
        let most = String(repeating: "x", count: NoteText.maximumTextBytes)
        for text in ["a", most] { try await repository.save(Note(id: "n", text: text)) }
        await #expect(throws: RepositoryError.tooLong(note: most + "x")) {
            try await repository.save(Note(id: "n", text: most + "x"))
        }
        #expect(try await repository.notes().models.map(\.text) == [most])
    }

    @Test("Somebody who has typed as much into another person's note as one person may is told so")
    func tooManyEdits() throws {
        func record(_ type: String, _ name: String) -> ReplicaRecord {
            ReplicaRecord(type: type, id: RecordID(name: name, zone: PersonalRepository.Zone.notes))
        }
        var (note, edit) = (record("Note", "n"), record("NoteEdit", "n.phone"))
        note[field: "text"] = "Balloons"
        let people = NoteText.People(me: "bob", owner: "alice")
        var text = try NoteText(of: note, edits: [ReplicaRecord](), by: people, on: "phone")
        // Each text is short enough for a record. Three of them are more than 500,000 characters.
        let texts = ["x", "y", "z"].map { String(repeating: $0, count: 200_000) }
        for new in texts.prefix(2) {
            let isChanged = try text.change(to: new, in: &note, and: &edit)
            #expect(isChanged)
        }
        let error = #expect(throws: RepositoryError.self) {
            _ = try text.change(to: texts[2], in: &note, and: &edit)
        }
        #expect(error == .tooManyEdits(note: texts[1]))
        #expect(error?.shellError.message.contains("as one person may") == true)
        #expect(text.string == texts[1])
    }
}
