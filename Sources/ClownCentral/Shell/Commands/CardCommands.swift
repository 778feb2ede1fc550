import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands for contact cards in the private database. They show the three save policies.
struct CardCommands {
    let app: AppSession

    private static let group = "Clowns"
    private static let policies = ContactCardRepository.Policy.allCases.map(\.rawValue)
    private static let change = ValueKind.choice(ContactCard.fields.map { "\($0)=" })
    private static let fieldHelp = """
        The fields are \(ContactCard.fields.joined(separator: ", ")). An empty value removes a field.
        """

    var commands: [CommandSpec] { [create, show, edit] }

    private var database: CKDatabase { get async { await app.cloud.container.privateCloudDatabase } }

    private var create: CommandSpec {
        CommandSpec(
            ["card", "create"],
            group: Self.group,
            summary: "create a contact card that only its owner sees",
            arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("FIELD=VALUE", Self.change, .many)],
            details: Self.fieldHelp,
            examples: ["card create Bozo street=\"1 Circus Road\" city=Sarasota"]
        ) { arguments in
            let (name, changes) = (try arguments.name("NAME"), try Self.changes(arguments))
            return .work {
                let record = try await ContactCardRepository(database: database).create(name, changes)
                await app.store(record)
                return Self.card("saved", record, note: "created the card of \(name)")
            }
        }
    }

    private var show: CommandSpec {
        CommandSpec(
            ["card", "show"],
            group: Self.group,
            summary: "fetch a card and keep it on this device",
            arguments: [ArgumentSpec("NAME", .text)],
            examples: ["card show Bozo"]
        ) { arguments in
            let name = try arguments.name("NAME")
            return .work {
                let record = try await app.fetchAndStore(ContactCard.recordName(name), from: database)
                return Self.card("server", record, note: nil)
            }
        }
    }

    private var edit: CommandSpec {
        CommandSpec(
            ["card", "edit"],
            group: Self.group,
            summary: "change this device's version of a card, with one of three save policies",
            arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("FIELD=VALUE", Self.change, .many)],
            flags: [
                FlagSpec("policy", "POLICY", .choice(Self.policies), "the save policy; locked if not given"),
                FlagSpec("merge", "", .nothing, "on a conflict, merge into the server's version"),
            ],
            details: """
                \(Self.fieldHelp)
                The policies are:

                  locked        save only if the server has the version that this device saw
                  changed-keys  save the named fields without comparing versions
                  all-keys      save all fields of the app's first release without comparing versions
                """,
            examples: [
                "card edit Bozo phone=555-0100", "card edit Bozo city=Paris --policy changed-keys",
                "card edit Bozo phone=555-0100 --merge",
            ]
        ) { arguments in
            let policy: ContactCardRepository.Policy = try arguments.choice("policy") ?? .locked
            let merging = arguments.has("merge")
            if merging, policy != .locked {
                let span = arguments.flags["merge"]?.range
                throw ShellError.usage(
                    "--merge needs the policy locked; the other policies cause no conflict", at: span)
            }
            let (name, changes) = (try arguments.name("NAME"), try Self.changes(arguments))
            return .work {
                let held = try await app.storedCopy(ContactCard.recordName(name), from: database)
                let outcome = try await ContactCardRepository(database: database).edit(
                    held, changes, policy: policy, merging: merging)
                return await answer(outcome, name: name)
            }
        }
    }

    private static func changes(_ arguments: ParsedArguments) throws -> [ContactCard.Change] {
        try arguments.words(from: "FIELD=VALUE").map { word in
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let field = String(parts[0])
            guard parts.count == 2, ContactCard.fields.contains(field) else {
                throw ShellError.usage(
                    "`\(word.text)` is not a valid change of a card",
                    at: word.range,
                    suggestions: DidYouMean.suggestions(for: field, among: ContactCard.fields),
                    remedy: "help card edit"
                )
            }
            return ContactCard.Change(field: field, value: parts[1].isEmpty ? nil : String(parts[1]))
        }
    }

    private func answer(_ outcome: SaveOutcome, name: String) async -> Answer {
        switch outcome {
        case .saved(let record):
            await app.store(record)
            return Self.card("saved", record, note: "changed the card of \(name)")
        case .conflict(let conflict):
            return Answer.conflict(
                conflict, remedy: "repeat the command with --merge", fields: Self.cardFields)
        case .merged(let record, let conflict):
            await app.store(record)
            return Answer.merged(record, conflict, fields: Self.cardFields)
        }
    }

    private static func card(_ version: String, _ record: CKRecord, note: String?) -> Answer {
        let entry = Answer.version(version, record, cardFields)
        return Answer(form: .record, entries: [entry], notes: [note].compactMap { $0 })
    }

    private static func cardFields(_ record: CKRecord) -> [AnswerField] {
        ContactCard.fields.map { AnswerField($0, Value(record[$0] as? String)) }
    }
}
