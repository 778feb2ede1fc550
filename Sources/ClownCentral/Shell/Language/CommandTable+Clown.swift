// Owns the description of the commands about clowns.
import Foundation

extension CommandTable {
    static let clownCommands = [clownAssign, clownList, clownRemove]

    private static let group = "Clowns"

    private static let clownAssign = CommandSpec(
        path: ["clown", "assign"],
        group: group,
        summary: "let a clown perform at a party",
        arguments: [ArgumentSpec("NAME", .text)],
        flags: [
            FlagSpec("to", "PARTY", .party, "the party; always needed", isRequired: true),
            FlagSpec("act", "TEXT", .text, "what the clown does there"),
        ],
        details: """
            The clown points at the party and goes when the party goes. The party itself is not changed.
            \(partyHelp)
            """,
        examples: ["clown assign Bozo --to Coffee --act juggling"],
        build: { arguments in
            guard let party = arguments.flags["to"] else {
                throw Complaint.usage("--to PARTY is missing", remedy: arguments.spec.usage)
            }
            return .clownAssign(
                name: try arguments.name("NAME"),
                party: party,
                act: arguments.text("act")
            )
        }
    )

    private static let clownList = CommandSpec(
        path: ["clown", "list"],
        group: group,
        summary: "list the clowns of a party, or of all parties",
        arguments: [ArgumentSpec("PARTY", .party, .optional)],
        details: partyHelp,
        examples: ["clown list", "clown list Coffee"],
        build: { .clownList(party: $0.word("PARTY")) }
    )

    private static let clownRemove = CommandSpec(
        path: ["clown", "remove"],
        group: group,
        summary: "take a clown off its party",
        arguments: [ArgumentSpec("CLOWN", .clown)],
        details: "CLOWN is an identifier, or a name or the beginning of one if only one clown has it.",
        examples: ["clown remove Bozo"],
        build: { .clownRemove(clown: try $0.requiredWord("CLOWN")) }
    )
}
