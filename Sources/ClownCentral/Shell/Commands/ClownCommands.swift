import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands for the clowns of parties.
struct ClownCommands {
    let app: AppSession

    private static let group = "Clowns"
    private static let listLimit = 1000

    var commands: [CommandSpec] { [assign.needingAccount(), list, remove.needingAccount()] }

    private var assign: CommandSpec {
        CommandSpec(
            ["clown", "assign"],
            group: Self.group,
            summary: "add a clown to a party",
            arguments: [ArgumentSpec("NAME", .text)],
            flags: [
                FlagSpec("to", "PARTY", .party, "the party", isRequired: true),
                FlagSpec("act", "TEXT", .text, "the clown's performance"),
            ],
            details: """
                The clown refers to the party: deleting the party deletes the clown. The party's
                record does not change.
                \(PartyCommands.partyHelp)
                """,
            examples: ["clown assign Bozo --to Coffee --act juggling"]
        ) { arguments in
            guard let party = arguments.flags["to"] else {
                throw ShellError.usage("--to PARTY is missing", remedy: arguments.spec.usage)
            }
            let (name, act) = (try arguments.name("NAME"), arguments.text("act"))
            return .work { try await assign(name, to: party, act: act) }
        }
    }

    private func assign(_ name: String, to word: Word, act: String?) async throws -> Answer {
        let party = try await app.party(word)
        let id = await app.cloud.makeIdentifier("clown")
        let saved = try await app.clowns.assign(Clown(id: id, name: name, act: act, partyID: party.id))
        return Answer.clown(saved, party: party, note: "\(saved.name) performs at \(party.name)")
    }

    private var list: CommandSpec {
        CommandSpec(
            ["clown", "list"],
            group: Self.group,
            summary: "list the clowns of a party, or of all parties",
            arguments: [ArgumentSpec("PARTY", .party, .optional)],
            details: PartyCommands.partyHelp,
            examples: ["clown list", "clown list Coffee"]
        ) { arguments in
            let party = arguments.word("PARTY")
            return .work { try await list(party) }
        }
    }

    private func list(_ word: Word?) async throws -> Answer {
        var party: Party?
        if let word { party = try await app.party(word) }
        let found = try await app.clowns.list(party: party?.id, limit: Self.listLimit)
        var known: [Party.ID: Party] = [:]
        if let party {
            known[party.id] = party
        } else {
            let ids = Set(found.clowns.models.map(\.partyID))
            known = try await app.parties.table.models(ids: ids.sorted())
        }
        return Answer.clowns(found.clowns.models, parties: known, of: party, hasMore: found.hasMore)
            .skipping(found.clowns.unreadable)
    }

    private var remove: CommandSpec {
        CommandSpec(
            ["clown", "remove"],
            group: Self.group,
            summary: "delete a clown from its party",
            arguments: [ArgumentSpec("CLOWN", .clown)],
            details: "CLOWN is an identifier, a name, or the beginning of a name that only one clown has.",
            examples: ["clown remove Bozo"]
        ) { arguments in
            let clown = try arguments.requiredWord("CLOWN")
            return .work { try await remove(clown) }
        }
    }

    private func remove(_ word: Word) async throws -> Answer {
        let clown = try await app.clown(word)
        let record = try await app.publicDatabase.record(for: CKRecord.ID(recordName: clown.id))
        try await app.clowns.remove(clown.id)
        await app.setUndo(of: clown.name, restoring: PartyTree(records: [record]))
        let fields = [AnswerField("id", .text(clown.id)), AnswerField("name", .text(clown.name))]
        return Answer(form: .record, entries: [Entry(fields)], notes: ["removed \(clown.name)"])
    }
}
