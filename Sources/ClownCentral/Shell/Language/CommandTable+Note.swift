// Owns the description of the commands about personal notes.
import Foundation

extension CommandTable {
    static let noteCommands = [noteAdd, noteList, noteEdit, noteDelete, noteFill]

    private static let group = "Notes"
    static let noteHelp = """
        NOTE is an identifier, or the beginning of a text if only one note begins so. Notes are on this \
        device first: they can be read and written without a network, and `sync` takes them to the others.
        """

    private static let noteAdd = CommandSpec(
        path: ["note", "add"],
        group: group,
        summary: "write something down for yourself, on a party or on nothing",
        arguments: [ArgumentSpec("TEXT", .text)],
        flags: [FlagSpec("party", "PARTY", .party, "the party that it is about")],
        details: noteHelp,
        examples: ["note add 'Bring balloons' --party Coffee", "note add 'Buy paint'"],
        build: { .personal(.noteAdd(text: try $0.name("TEXT", as: "a note"), party: $0.flags["party"])) }
    )

    private static let noteList = CommandSpec(
        path: ["note", "list"],
        group: group,
        summary: "show your notes",
        flags: [FlagSpec("party", "PARTY", .party, "only those about that party")],
        examples: ["note list", "note list --party Coffee"],
        build: { .personal(.noteList(party: $0.flags["party"])) }
    )

    private static let noteEdit = CommandSpec(
        path: ["note", "edit"],
        group: group,
        summary: "change the text of a note",
        arguments: [ArgumentSpec("NOTE", .note), ArgumentSpec("TEXT", .text)],
        details: noteHelp,
        examples: ["note edit Bring 'Bring red balloons'"],
        build: {
            .personal(.noteEdit(note: try $0.requiredWord("NOTE"), text: try $0.name("TEXT", as: "a note")))
        }
    )

    private static let noteDelete = CommandSpec(
        path: ["note", "delete"],
        group: group,
        summary: "delete a note",
        arguments: [ArgumentSpec("NOTE", .note)],
        flags: [FlagSpec("yes", "", .nothing, "do not ask")],
        details: noteHelp,
        examples: ["note delete Bring"],
        build: { .personal(.noteDelete(note: try $0.requiredWord("NOTE"), isSure: $0.has("yes"))) }
    )

    private static let noteFill = CommandSpec(
        path: ["note", "fill"],
        group: group,
        summary: "write N notes, to see what many of them are like",
        arguments: [ArgumentSpec("N", .number)],
        examples: ["note fill 1000"],
        build: { arguments in
            let word = try arguments.requiredWord("N")
            guard let count = Int(word.text), (1...100_000).contains(count) else {
                throw Complaint.usage("N is a whole number from 1 to 100000", at: word.range)
            }
            return .personal(.noteFill(count: count))
        }
    )
}
