import CloudSync
import Cloudlet
import Foundation
import LocalReplica
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Notes and receipts at the shell")
struct PersonalTests {
    @Test("A field that the app does not know stays when a note is changed")
    func unknownFields() async throws {
        let folder = FileManager.default.temporaryDirectory
        let repository = PersonalRepository(
            replica: try LocalReplica(inMemoryWithFiles: folder), device: "phone")
        try await repository.save(Note(id: "n", text: "a", partyID: "p", partyName: "Gala"))
        let id = RecordID(name: "n", zone: PersonalRepository.Zone.notes)
        try await repository.replica.write { writer in
            var record = try #require(try writer.reader.record(id))
            record[field: "mood"] = "festive"
            try writer.save(record)
        }
        try await repository.save(Note(id: "n", text: "b"))
        let record = try #require(try await repository.replica.read { try $0.record(id) })
        #expect(record[field: "mood"] == "festive")
        #expect(record[field: "party"] == nil)
        #expect(try Note(record) == Note(id: "n", text: "b"))
    }

    @Test("A note without a text and a receipt without an amount are reported as unreadable")
    func unreadable() {
        let note = ReplicaRecord(type: "Note", id: RecordID(name: "n", zone: "Notes"))
        #expect(throws: RepositoryError.unreadable(recordType: "Note", recordName: "n", field: "text")) {
            try Note(note)
        }
        var receipt = ReplicaRecord(type: "Receipt", id: RecordID(name: "r", zone: "Receipts"))
        receipt[field: "shop"] = "Toys"
        receipt[field: "amount"] = "12"
        #expect(throws: RepositoryError.unreadable(recordType: "Receipt", recordName: "r", field: "amount")) {
            try Receipt(receipt)
        }
    }

    @Test("A change to personal data says whether it is on this device only, an empty list how to get others")
    func unsent() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on phone")
            let empty = "to get those of another device: sync there, then sync here"
            for line in ["note list", "receipt list", "shoebox list"] {
                #expect(await world.runner.run(line).rendering.messages.contains(empty), "\(line)")
            }
            let waits = "on phone only; to send it to your other devices: sync"
            let lines = [
                "note add One", "note edit One Two", "shoebox add Summer", "receipt add Toys 5",
                "receipt edit Toys --amount 6",
            ]
            for line in lines {
                let outcome = await world.runner.run(line)
                #expect(outcome.shellError == nil)
                #expect(outcome.rendering.messages.contains(waits), "\(line): \(outcome.rendering.messages)")
            }
            await world.type("sync start")
            let messages = await world.runner.run("note add Three").rendering.messages
            #expect(messages == "noted; the automatic sync sends it\n")
            await world.type("sync stop")
            #expect(await world.runner.run("note add Four").rendering.messages.contains(waits))
        }
    }

    @Test("Offline, a note can be about a party that another note names")
    func offline() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Gala", "note add One --party Gala", "network off")
            let made = await world.runner.run("note add Two --party gala")
            #expect(made.shellError == nil)
            #expect(await world.runner.run("note add Three --party Nowhere").shellError != nil)
            await world.type("network on", "sync")
            #expect(await world.data("note list --party Gala").split(separator: "\n").count == 3)
        }
    }

    @Test("`watch` runs a command as often as asked, and ends when it fails")
    func watch() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One")
            let lines = await world.data("watch 'note list' --times 3 --every 1").split(separator: "\n")
            #expect(lines.count == 6)
            let failed = await world.runner.run("watch 'party show Nowhere' --times 3")
            #expect(failed.shellError?.code == "notFound")
            #expect(await world.runner.run("watch 'watch pending' --times 1").shellError == nil)
        }
    }

    @Test("`blame` shows who wrote a public or private record, and from which device")
    func blame() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on phone", "record save Plan gala guests=1", "as bob", "on tablet")
            #expect(await world.data("blame gala").contains("phone"))
            #expect(await !world.data("blame gala").contains("you"))
            let note = await world.data("note add One").split(separator: "\n")[0].split(separator: " ")[1]
            await world.type("sync")
            let mine = await world.data("blame \(note) --zone Notes")
            #expect(mine.contains("tablet") && mine.contains("you"))
            #expect(await world.runner.run("blame nothing").shellError?.code == "unknownItem")
        }
    }

    @Test("`blame` reports errors other than a missing record unchanged")
    func blameInTrouble() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "record save Plan gala guests=1")
            #expect(await world.runner.run("blame gala --zone Nowhere").shellError?.code == "zoneNotFound")
            await world.type("network off")
            #expect(await world.runner.run("blame gala").shellError?.code == "networkUnavailable")
            await world.type("network on", "fault add unavailable --times 2")
            #expect(await world.runner.run("blame gala").shellError?.code == "serviceUnavailable")
            await world.type("fault clear", "sign-out")
            #expect(await world.runner.run("blame n --zone Notes").shellError?.code == "notAuthenticated")
        }
    }

    @Test("A malformed note, receipt or shoebox is reported and hides no other")
    func foreignShape() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One", "receipt add Toys 5", "sync")
            let database = await world.container(on: "other").privateCloudDatabase
            let note = CKRecord(recordType: "Note", recordID: Self.id("strange", "Notes"))
            note["partyName"] = "Gala"
            let receipt = CKRecord(recordType: "Receipt", recordID: Self.id("odd", "Receipts"))
            receipt["shop"] = "Zoo"
            let box = CKRecord(recordType: "Shoebox", recordID: Self.id("box", "Receipts"))
            for record in [note, receipt, box] { try await database.save(record) }
            await world.type("sync")
            let notes = await world.runner.run("note list")
            #expect(notes.shellError == nil)
            #expect(notes.rendering.data.contains("One"))
            #expect(
                notes.rendering.messages.contains("skipped: the Note record strange has no usable field text")
            )
            let receipts = await world.runner.run("receipt list")
            #expect(receipts.rendering.data.contains("Toys"))
            #expect(receipts.rendering.messages.contains("the Receipt record odd has no usable field amount"))
            let boxes = await world.runner.run("shoebox list")
            #expect(boxes.shellError == nil)
            #expect(boxes.rendering.messages.contains("the Shoebox record box has no usable field name"))
            #expect(await world.runner.run("note edit One Two").shellError == nil)
        }
    }

    @Test("A malformed public record is reported and hides no other")
    func foreignPublicShape() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Gala", "clown assign Bobo --to Gala")
            let database = await world.container(on: "other").publicCloudDatabase
            let party = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "strange"))
            party["place"] = "Nowhere"
            let clown = CKRecord(recordType: "Clown", recordID: CKRecord.ID(recordName: "odd"))
            clown["name"] = "Nobody"
            let gala = try await database.records(
                matching: CKQuery(recordType: "Party", predicate: NSPredicate(format: "name = 'Gala'")))
            let host = try #require(gala.matchResults.first?.0)
            let photo = CKRecord(recordType: "Photo", recordID: CKRecord.ID(recordName: "blank"))
            photo["party"] = CKRecord.Reference(recordID: host, action: .deleteSelf)
            photo["name"] = "blank"
            let guest = CKRecord(recordType: "Attendee", recordID: CKRecord.ID(recordName: "guest"))
            guest["party"] = CKRecord.Reference(recordID: host, action: .deleteSelf)
            guest["name"] = 5
            for record in [party, clown, photo, guest] { try await database.save(record) }
            for (line, shown, skipped) in [
                ("party list", "Gala", "the Party record strange has no usable field name"),
                ("clown list", "Bobo", "the Clown record odd has no usable field party"),
                ("photo list Gala", "", "the Photo record blank has no usable field"),
                ("party show Gala", "Bobo", "the Attendee record guest has no usable field name"),
            ] {
                let answer = await world.runner.run(line)
                #expect(answer.shellError == nil, "\(line)")
                #expect(answer.rendering.data.contains(shown) || shown.isEmpty, "\(line)")
                #expect(answer.rendering.messages.contains("skipped: " + skipped), "\(line)")
            }
            #expect(await world.runner.run("clown remove Bobo").shellError == nil)
        }
    }

    private static func id(_ name: String, _ zone: String) -> CKRecord.ID {
        CKRecord.ID(recordName: name, zoneID: CKRecordZone.ID(zoneName: zone))
    }

    @Test("Changes for a deleted zone wait, and `pending` has the command that sends them")
    func closedZone() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One", "sync")
            let useless = await world.runner.run("sync resume Notes").shellError
            #expect(useless?.code == "inUse")
            #expect(await world.runner.run("sync resume Elsewhere").shellError?.code == "notFound")
            let database = await world.container(on: "other").privateCloudDatabase
            try await database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
            await world.type("note add Two")
            let synced = await world.runner.run("sync")
            #expect(synced.rendering.data.contains("blocked"))
            #expect(synced.rendering.messages.contains("to use Notes again: sync resume Notes"))
            #expect(synced.shellError?.remedy == "sync resume Notes")
            #expect(await world.data("pending").contains("to create it again: sync resume Notes"))
            #expect(try await !database.allRecordZones().contains { $0.zoneID.zoneName == "Notes" })
            await world.type("sync resume Notes", "sync")
            #expect(try await database.allRecordZones().contains { $0.zoneID.zoneName == "Notes" })
            await world.type("zone purge Notes", "sync", "note add Three")
            #expect(await world.data("pending").contains("its data was removed; to send again"))
        }
    }

    @Test("A sync whose edits the server refused is an error with the reason")
    func refusedEdit() async throws {
        try await ShellWorld.run { world in
            // Production has no type for notes yet.
            await world.type("as alice", "environment production", "note add One")
            let refused = await world.runner.run("sync").shellError
            #expect(refused?.code == "editRefused")
            #expect(refused?.message.hasPrefix("the server refused 1 edit; Note note-") == true)
            #expect(refused?.message.contains("production schema") == true, "\(refused?.message ?? "")")
            #expect(refused?.remedy?.hasPrefix("pending, for all reasons") == true)
            #expect(await world.data("explain").contains("editRefused"))
        }
    }

    @Test("The automatic sync reacts to sign-in and sign-out, and each person has an own undo")
    func signInAgain() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One", "sync start")
            let sync = try await world.app.personalData().sync
            await sync.reaches(.idle)
            await world.type("note add Two", "note delete Two", "as bob")
            #expect(await world.runner.run("undo").shellError?.code == "nothingToUndo")
            await world.type("as alice")
            #expect(await world.runner.run("undo").shellError == nil)
            await world.type("sign-out")
            await sync.reaches(.blocked)
            let signIn = await world.runner.run("as alice").shellError
            #expect(signIn == nil)
            await sync.reaches(.idle)
            let ended = try await world.app.personalData().automaticSyncError
            #expect(ended == nil)
            let refused = await world.runner.run("sync stop").shellError
            #expect(refused == nil)
        }
    }

    @Test("`sign-out` names the unsent changes that stay on the device")
    func signOut() async throws {
        try await ShellWorld.run { world in
            await world.type("as erin", "note add One")
            let unsent = await world.runner.run("sign-out").rendering.messages
            #expect(unsent == "signed out; 1 unsent change stays on phone until erin signs in again\n")
            await world.type("as erin", "sync")
            #expect(await world.runner.run("sign-out").rendering.messages == "signed out\n")
            #expect(await world.runner.run("sign-out").rendering.messages == "nobody was signed in\n")
        }
    }

    @Test("An ambiguous note is answered with candidates, an unknown one with suggestions")
    func names() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add 'Bring balloons'", "note add 'Bring cake'")
            let several = await world.runner.run("note edit Bring x").shellError
            #expect(several?.code == "ambiguousName")
            #expect(several?.candidates.count == 2)
            #expect(await world.runner.run("note edit 'bring cake' 'Bring pie'").shellError == nil)
            let none = await world.runner.run("note delete 'Bring pies'").shellError
            #expect(none?.suggestions == ["Bring pie"])
        }
    }

    @Test("A deletion asks first, and `undo` restores a party with its clowns")
    func undo() async throws {
        try await ShellWorld.run(confirm: { _ in true }) { world in
            await world.type(
                "as alice", "party create Gala", "clown assign Bozo --to Gala", "party delete Gala")
            #expect(await world.runner.run("party show Gala").shellError?.code == "notFound")
            #expect(await world.runner.run("undo").shellError == nil)
            #expect(await world.data("party show Gala").contains("Bozo"))
            #expect(await world.runner.run("undo").shellError?.code == "nothingToUndo")
        }
        try await ShellWorld.run(confirm: { _ in false }) { world in
            await world.type("as alice", "note add One", "note delete One")
            #expect(await world.data("note list").contains("One"))
        }
    }

    @Test("`sync reset --forget` asks before unsent changes are lost, and a script needs --yes")
    func forgetting() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One")
            let refused = await world.runner.run("sync reset --forget").shellError
            let loss = "nothing was deleted: this would lose 1 unsent change, and nobody can be asked"
            #expect(refused?.message == loss)
            #expect(refused?.remedy == "sync reset --forget --yes")
            #expect(await world.data("note list").contains("One"))
            await world.type("sync")
            let done = await world.runner.run("sync reset --forget")
            #expect(done.rendering.messages.contains("phone has no notes, receipts or posts; the next sync"))
            await world.type("note add Two", "sync reset --forget --yes")
            #expect(await world.data("note list").isEmpty)
        }
        try await ShellWorld.run(confirm: { _ in false }) { world in
            await world.type("as alice", "note add One")
            let kept = await world.runner.run("sync reset --forget").rendering.messages
            #expect(kept == "nothing was deleted\n")
        }
    }

    @Test("A session that a new password ended is not used again")
    func newPassword() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "as bob", "profile password='a long horse'", "as alice")
            let outcome = await world.runner.run("as bob")
            #expect(outcome.shellError != nil)
        }
    }

    @Test("A session that the server does not know is named, with the next step")
    func endedSession() async throws {
        try await ShellWorld.run { world in
            // A new password ends all sessions.
            await world.type("as bob", "note add One", "profile password='a long horse'")
            let ended = await world.runner.run("sync").shellError
            let problem = "the server does not know the session of bob, which has ended"
            #expect(ended?.message == problem + "; edits are kept")
            #expect(ended?.remedy == "as bob, to sign in again; with a password: sign-in bob")
            #expect(ended?.exit == .notSignedIn)
            let noted = await world.runner.run("note add Two").rendering.messages
            #expect(noted == "noted, on phone only; the last sync was blocked: \(problem); edits are kept\n")
            let status = await world.runner.run("status").rendering.messages
            #expect(status.contains("\(problem); sign in again: as bob\n"))
        }
    }

    @Test(
        "The progress of a transfer has its rate and the remaining time",
        arguments: [
            (ProgressLine(done: 40, total: 100, verb: "sent", seconds: 2), "40 of 100 sent, 20/s, 3 s left"),
            (ProgressLine(done: 5000, total: nil, verb: "fetched", seconds: 2), "5000 fetched, 2500/s"),
            (ProgressLine(done: 0, total: 10, verb: "sent", seconds: 0), "0 of 10 sent"),
        ])
    func progress(line: ProgressLine, words: String) {
        #expect(line.text().hasSuffix(words))
        #expect(line.text().count <= 72)
        #expect(line.text(width: 20).hasSuffix(words))
    }

    @Test("A wait advances a clock that stands still, and a running clock only once")
    func clock() async throws {
        let start = Date(timeIntervalSince1970: 0)
        let still = WaitingClock(base: { start }, pause: { _ in })
        try await still.wait(.seconds(5))
        #expect(still.now == start.addingTimeInterval(5))
        let scene = SceneClock(start)
        let running = WaitingClock(base: { scene.now }, pause: { try scene.wait($0) })
        try await running.wait(.seconds(5))
        #expect(running.now == start.addingTimeInterval(5))
    }
}

extension CloudSync {
    /// Waits until the sync has this activity. If that does not happen in time, the test fails with the
    /// status.
    fileprivate func reaches(_ activity: SyncStatus.Activity) async {
        for _ in 0..<2_000_000 where status.activity != activity { await Task.yield() }
        let status = status
        #expect(status.activity == activity, "\(status)")
    }
}
