import Cloudlet
import CloudletShell
import CommandShell
import Foundation
import LocalReplica

/// The commands for personal notes, which are saved to the local replica and sent by a sync.
struct NoteCommands {
    let app: AppSession

    static let group = "Notes"
    private static let noteHelp = """
        NOTE is an identifier, or the beginning of a text that only one note has. Notes are stored on this \
        device: they need no network, and `sync` exchanges them with your other devices.
        """

    var commands: [CommandSpec] { [add, list, edit, delete, fill] }

    private var repository: PersonalRepository {
        get async throws { try await app.personalData().repository }
    }

    private var add: CommandSpec {
        CommandSpec(
            ["note", "add"],
            group: Self.group,
            summary: "write a note for yourself, about a party or about anything else",
            arguments: [ArgumentSpec("TEXT", .text)],
            flags: [FlagSpec("party", "PARTY", .party, "the party that it is about")],
            details: Self.noteHelp,
            examples: ["note add 'Bring balloons' --party Coffee", "note add 'Buy paint'"]
        ) { arguments in
            let (text, word) = (try arguments.name("TEXT", as: "a note"), arguments.flags["party"])
            return .work {
                let repository = try await repository
                let party = try await noteParty(word, in: repository)
                let id = await app.cloud.makeIdentifier("note")
                let note = Note(id: id, text: text, partyID: party?.id, partyName: party?.name)
                try await repository.save(note)
                return Answer.note(note, try await app.unsent("noted"))
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["note", "list"],
            group: Self.group,
            summary: "show your notes",
            flags: [FlagSpec("party", "PARTY", .party, "only those about that party")],
            examples: ["note list", "note list --party Coffee"]
        ) { arguments in
            let word = arguments.flags["party"]
            return .work {
                let repository = try await repository
                let party = try await noteParty(word, in: repository)
                let notes = try await repository.notes(party: party?.id)
                return Answer.notes(notes.models).skipping(notes.unreadable)
            }
        }
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["note", "edit"],
            group: Self.group,
            summary: "change the text of a note",
            arguments: [ArgumentSpec("NOTE", .note), ArgumentSpec("TEXT", .text)],
            details: Self.noteHelp,
            examples: ["note edit Bring 'Bring red balloons'"]
        ) { arguments in
            let word = try arguments.requiredWord("NOTE")
            let text = try arguments.name("TEXT", as: "a note")
            return .work {
                let repository = try await repository
                var note = try await app.note(word)
                note.text = text
                try await repository.save(note)
                return Answer.note(note, try await app.unsent("changed"))
            }
        }
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["note", "delete"],
            group: Self.group,
            summary: "delete a note",
            arguments: [ArgumentSpec("NOTE", .note)],
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.noteHelp,
            examples: ["note delete Bring"]
        ) { arguments in
            let (word, isSure) = (try arguments.requiredWord("NOTE"), arguments.has("yes"))
            return .work {
                let note = try await app.note(word)
                return try await app.deletePersonal(
                    [note.id], in: PersonalRepository.Zone.notes, "the note `\(note.text)`", isSure: isSure)
            }
        }
    }

    private var fill: CommandSpec {
        CommandSpec(
            ["note", "fill"],
            group: Self.group,
            summary: "write N notes, to test with many of them",
            arguments: [ArgumentSpec("N", .number)],
            examples: ["note fill 1000"]
        ) { arguments in
            let count = try ParsedArguments.whole(
                try arguments.requiredWord("N"), 1...100_000, called: "N")
            return .work { try await fill(count) }
        }
    }

    private func fill(_ count: Int) async throws -> Answer {
        let replica = try await repository.replica
        for start in stride(from: 0, to: count, by: 1000) {
            let ids = await app.cloud.makeIdentifiers(min(count, start + 1000) - start, "note")
            let notes = ids.enumerated().map { Note(id: $1, text: "Note \(start + $0 + 1)") }
            try await replica.write { writer in
                for note in notes {
                    let id = RecordID(name: note.id, zone: PersonalRepository.Zone.notes)
                    var record = ReplicaRecord(type: Note.recordType, id: id)
                    note.write(to: &record)
                    try writer.save(record)
                }
            }
        }
        return Answer.message(
            "wrote \(Answer.counted(count, "note"))", facts: [AnswerField("written", .count(count))])
    }

    // MARK: Finding by words

    /// The ID and name of the party that a word names. Without a network, it searches the parties of existing
    /// notes, then accepts any ID that begins with `party-`.
    private func noteParty(
        _ word: Word?, in repository: PersonalRepository
    ) async throws -> (id: Party.ID, name: String?)? {
        guard let word else { return nil }
        do {
            let party = try await app.party(word)
            return (party.id, party.name)
        } catch let error as CKError where error.code == .networkUnavailable || error.code == .networkFailure
        {
            let known = try await repository.notes().models.first {
                $0.partyID == word.text || $0.partyName?.lowercased() == word.text.lowercased()
            }
            if let known, let id = known.partyID { return (id, known.partyName) }
            if word.text.hasPrefix("party-") { return (word.text, nil) }
            throw error
        }
    }
}

extension AppSession {
    /// The note of the signed-in person that a word names: by ID, or by the beginning of its text.
    func note(_ word: Word) async throws -> Note {
        let all = try await personalData().repository.notes().models
        return try word.pick(
            "note", from: all, remedy: "note list; for notes of other people: share list, share edit",
            id: \.id, name: \.text)
    }

    /// Deletes personal records after a confirmation, and lets `undo` restore them.
    func deletePersonal(
        _ names: [String], in zone: String, _ subject: String, isSure: Bool
    ) async throws -> Answer {
        let repository = try await personalData().repository
        guard try environment.isConfirmed("delete \(subject)?", isSure: isSure) else {
            return Answer.message("nothing was deleted")
        }
        let records = try await repository.delete(names, in: zone)
        await setUndo(
            Undo(subject: subject) {
                try await repository.restore(records)
                return names.count
            })
        return Answer.message(
            "deleted \(subject); until this shell ends, `undo` restores it",
            facts: [AnswerField("deleted", .count(names.count))])
    }
}
