import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The command `attend`, which joins a party by a separate record or by a list on the party's record.
struct AttendCommands {
    let app: AppSession

    var commands: [CommandSpec] {
        [
            CommandSpec(
                ["attend"],
                group: PartyCommands.group,
                summary: "join a party, by a separate record or by a list on the party",
                arguments: [ArgumentSpec("PARTY", .party), ArgumentSpec("NAME", .text, .optional)],
                flags: [
                    FlagSpec(
                        "by-array", "", .nothing, "add the name to a list on the party, an anti-pattern"),
                    FlagSpec(
                        "merge", "", .nothing,
                        "with --by-array: after a conflict, add the name to the server's version"
                    ),
                ],
                details: """
                    Without NAME, the signed-in person joins.
                    With --by-array, the version that this device fetched last is changed, for example \
                    that of `party show`.
                    If the server has a newer one, the answer is a conflict with the three \
                    versions of the record.
                    \(PartyCommands.partyHelp)
                    """,
                examples: ["attend Coffee", "attend Coffee John --by-array --merge"]
            ) { arguments in
                let (byArray, merging) = (arguments.has("by-array"), arguments.has("merge"))
                if merging, !byArray {
                    let span = arguments.flags["merge"]?.range
                    throw ShellError.usage(
                        "--merge needs --by-array; without it there is no conflict", at: span)
                }
                let party = try arguments.requiredWord("PARTY")
                let name = try arguments.word("NAME").map { try ParsedArguments.checkedName($0) }
                return .work { try await attend(party, name, byArray: byArray, merging: merging) }
            }
        ]
    }

    private func attend(
        _ word: Word, _ given: String?, byArray: Bool, merging: Bool
    ) async throws -> Answer {
        let party = try await app.party(word)
        let person = await app.cloud.context.person
        guard let name = given ?? person else {
            throw ShellError.usage(
                "nobody is signed in, so give the name of the person who joins", remedy: "attend PARTY NAME")
        }
        let database = await app.publicDatabase
        let attendees = AttendeeRepository(database: database)
        guard byArray else {
            let id = await app.cloud.makeIdentifier("attendee")
            let joined = try await attendees.join(Attendee(id: id, name: name, partyID: party.id))
            return Answer.attendee(joined, party: party)
        }
        let copy = try await app.storedCopy(party.id, from: database)
        let outcome = try await attendees.joinByArray(name, party: copy, merging: merging)
        return await answer(outcome, of: party)
    }

    private func answer(_ outcome: SaveOutcome, of party: Party) async -> Answer {
        switch outcome {
        case .saved(let record):
            await app.store(record)
            let saved = Answer.version("saved", record, Self.guestFields)
            return Answer(form: .record, entries: [saved], notes: ["wrote the list on \(party.name)"])
        case .conflict(let conflict):
            return Answer.conflict(
                conflict, remedy: "repeat the command with --merge", fields: Self.guestFields)
        case .merged(let record, let conflict):
            await app.store(record)
            return Answer.merged(record, conflict, fields: Self.guestFields)
        }
    }

    private static func guestFields(_ party: CKRecord) -> [AnswerField] {
        [AnswerField("guests", .texts(AttendeeRepository.guests(of: party)))]
    }
}
