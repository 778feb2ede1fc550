// Owns the description of the commands about contact cards.
import CommandText
import Foundation

extension CommandTable {
    static let cardCommands = [cardCreate, cardShow, cardEdit]

    private static let group = "Contact cards"

    private static let cardCreate = CommandSpec(
        path: ["card", "create"],
        group: group,
        summary: "make a contact card that only its owner sees",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("FIELD=VALUE", .cardChange, .many)],
        details: fieldHelp,
        examples: ["card create Bozo street=\"1 Circus Road\" city=Sarasota"],
        build: { .card(.create(name: try $0.name("NAME"), changes: try changes($0))) }
    )

    private static let cardShow = CommandSpec(
        path: ["card", "show"],
        group: group,
        summary: "fetch a card and keep it on this device",
        arguments: [ArgumentSpec("NAME", .text)],
        examples: ["card show Bozo"],
        build: { .card(.show(name: try $0.name("NAME"))) }
    )

    private static let cardEdit = CommandSpec(
        path: ["card", "edit"],
        group: group,
        summary: "change the card as this device saw it last, by one of the three save policies",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("FIELD=VALUE", .cardChange, .many)],
        flags: [
            FlagSpec("policy", "POLICY", .choice(policies), "how to save; locked if not given"),
            FlagSpec("merge", "", .nothing, "when somebody was faster: merge into their version"),
        ],
        details: """
            \(fieldHelp)
            The policies are:

              locked        only over the version that this device saw; else a conflict
              changed-keys  the named fields, over whatever is there
              all-keys      all fields that the app's first release knew, over whatever is there
            """,
        examples: [
            "card edit Bozo phone=555-0100", "card edit Bozo city=Paris --policy changed-keys",
            "card edit Bozo phone=555-0100 --merge",
        ],
        build: { arguments in
            let policy: ContactCardRepository.Policy = try arguments.choice("policy") ?? .locked
            let merging = arguments.has("merge")
            if merging, policy != .locked {
                let span = arguments.flags["merge"]?.range
                throw Complaint.usage("--merge goes with the policy locked; the others never meet", at: span)
            }
            let name = try arguments.name("NAME")
            let changes = try changes(arguments)
            return .card(.edit(name: name, changes: changes, policy: policy, merging: merging))
        }
    )

    private static let policies = ContactCardRepository.Policy.allCases.map(\.rawValue)

    private static let fieldHelp = """
        The fields are \(ContactCard.fields.joined(separator: ", ")). Nothing after the = removes one.
        """

    private static func changes(_ arguments: ParsedArguments) throws -> [ContactCard.Change] {
        try arguments.words(from: "FIELD=VALUE").map { word in
            let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let field = String(parts[0])
            guard parts.count == 2, ContactCard.fields.contains(field) else {
                throw Complaint.usage(
                    "`\(word.text)` is no change of a card",
                    at: word.range,
                    suggestions: DidYouMean.suggestions(for: field, among: ContactCard.fields),
                    remedy: "help card edit"
                )
            }
            return ContactCard.Change(field: field, value: parts[1].isEmpty ? nil : String(parts[1]))
        }
    }
}
