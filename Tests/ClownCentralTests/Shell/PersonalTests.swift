// Owns the tests of notes, receipts and their sync at the shell, beyond what the scenes claim.
import CloudSync
import Foundation
import LocalReplica
import Testing

@testable import ClownCentral

@Suite("Notes and receipts at the shell")
struct PersonalTests {
    @Test("A field that the app knows nothing of stays when a note is changed")
    func unknownFields() async throws {
        let folder = FileManager.default.temporaryDirectory
        let repository = PersonalRepository(replica: try LocalReplica(inMemoryWithFiles: folder))
        try await repository.save(Note(id: "n", text: "a", partyID: "p", partyName: "Gala"))
        let id = ReplicaID(zone: PersonalRepository.Zone.notes, name: "n")
        try await repository.replica.write { writer in
            var record = try #require(try writer.reader.record(id))
            record["mood"] = "festive"
            try writer.save(record)
        }
        try await repository.save(Note(id: "n", text: "b"))
        let record = try #require(try await repository.replica.read { try $0.record(id) })
        #expect(record["mood"] == "festive")
        #expect(record["party"] == nil)
        #expect(try Note(record) == Note(id: "n", text: "b"))
    }

    @Test("A note without a text and a receipt without an amount are named as unreadable")
    func unreadable() {
        let note = ReplicaRecord(type: "Note", id: ReplicaID(zone: "Notes", name: "n"))
        #expect(throws: RepositoryError.unreadable(recordType: "Note", recordName: "n", field: "text")) {
            try Note(note)
        }
        var receipt = ReplicaRecord(type: "Receipt", id: ReplicaID(zone: "Receipts", name: "r"))
        receipt["shop"] = "Toys"
        receipt["amount"] = "12"
        #expect(throws: RepositoryError.unreadable(recordType: "Receipt", recordName: "r", field: "amount")) {
            try Receipt(receipt)
        }
    }

    @Test("What is written without a network is there, and a party that is noted already can be named")
    func offline() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Gala", "note add One --party Gala", "network off")
            let made = await world.runner.run("note add Two --party gala")
            #expect(made.complaint == nil)
            #expect(await world.runner.run("note add Three --party Nowhere").complaint != nil)
            await world.type("network on", "sync")
            #expect(await world.data("note list --party Gala").split(separator: "\n").count == 3)
        }
    }

    @Test("A command that is watched is done so often, and one that fails ends it")
    func watch() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add One")
            let lines = await world.data("watch 'note list' --times 3 --every 1").split(separator: "\n")
            #expect(lines.count == 6)
            let failed = await world.runner.run("watch 'party show Nowhere' --times 3")
            #expect(failed.complaint?.code == "notFound")
            #expect(await world.runner.run("watch 'watch pending' --times 1").complaint == nil)
        }
    }

    @Test("Blame says who wrote a record, from which device, in public and in private")
    func blame() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on phone", "record save Plan gala guests=1", "as bob", "on tablet")
            #expect(await world.data("blame gala").contains("phone"))
            #expect(await !world.data("blame gala").contains("you"))
            let note = await world.data("note add One").split(separator: "\n")[0].split(separator: " ")[1]
            await world.type("sync")
            let mine = await world.data("blame \(note) --zone Notes")
            #expect(mine.contains("tablet") && mine.contains("you"))
            #expect(await world.runner.run("blame nothing").complaint?.code == "unknownItem")
        }
    }

    @Test("Words that could mean several notes name them; a wrong one suggests")
    func names() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add 'Bring balloons'", "note add 'Bring cake'")
            let several = await world.runner.run("note edit Bring x").complaint
            #expect(several?.code == "ambiguousName")
            #expect(several?.candidates.count == 2)
            #expect(await world.runner.run("note edit 'bring cake' 'Bring pie'").complaint == nil)
            let none = await world.runner.run("note delete 'Bring pies'").complaint
            #expect(none?.suggestions == ["Bring pie"])
        }
    }

    @Test("Deleting asks once, and undo brings back a party with its clowns")
    func undo() async throws {
        try await ShellWorld.run(confirm: { _ in true }) { world in
            await world.type(
                "as alice", "party create Gala", "clown assign Bozo --to Gala", "party delete Gala")
            #expect(await world.runner.run("party show Gala").complaint?.code == "notFound")
            #expect(await world.runner.run("undo").complaint == nil)
            #expect(await world.data("party show Gala").contains("Bozo"))
            #expect(await world.runner.run("undo").complaint?.code == "nothingToUndo")
        }
        try await ShellWorld.run(confirm: { _ in false }) { world in
            await world.type("as alice", "note add One", "note delete One")
            #expect(await world.data("note list").contains("One"))
        }
    }

    @Test("A session that a new password ended is not handed out again")
    func newPassword() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "as bob", "profile password='a long horse'", "as alice")
            let outcome = await world.runner.run("as bob")
            #expect(outcome.complaint != nil)
        }
    }

    @Test(
        "The progress of a transfer says how fast it is and how long it takes still",
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

    @Test("A clock that stands still goes on by what is waited, one that runs does not go twice")
    func clock() async throws {
        let start = Date(timeIntervalSince1970: 0)
        let still = WaitingClock(base: { start }, pause: { _ in })
        try await still.wait(.seconds(5))
        #expect(still.now == start.addingTimeInterval(5))
    }
}
