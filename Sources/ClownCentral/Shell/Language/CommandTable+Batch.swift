// Owns the description of the commands that save many records in one go.
import Foundation

extension CommandTable {
    static let batchCommands = [batchSave, treeSave]

    private static let group = "Batches"

    /// More than this would only keep somebody waiting.
    private static let largestBatch = 10_000

    private static let batchSave = CommandSpec(
        path: ["batch", "save"],
        group: group,
        summary: "save N small records and show how many requests that takes",
        arguments: [ArgumentSpec("N", .number)],
        flags: [FlagSpec("one-by-one", "", .nothing, "save them in a loop, a request for each")],
        details: "A batch that is too large for one request is halved until its parts get through.",
        examples: ["batch save 1000", "batch save 25 --one-by-one"],
        build: { arguments in
            let word = try arguments.requiredWord("N")
            guard let count = Int(word.text), (1...largestBatch).contains(count) else {
                let message = "N is a whole number from 1 to \(largestBatch)"
                throw Complaint.usage(message, at: word.range)
            }
            return .batchSave(count: count, isOneByOne: arguments.has("one-by-one"))
        }
    )

    private static let treeSave = CommandSpec(
        path: ["tree", "save"],
        group: group,
        summary: "save a show with its acts and their props, a tree of records, in one batch",
        arguments: [ArgumentSpec("NAME", .text)],
        flags: [FlagSpec("jumbled", "", .nothing, "send the lowest records first and the show last")],
        details: """
            Every record points at the one above it with a reference that deletes it together with that one.
            The answer shows in which order the records were sent, and in which they were stored.
            """,
        examples: ["tree save \"Evening Show\" --jumbled"],
        build: { .treeSave(name: try $0.name("NAME"), isJumbled: $0.has("jumbled")) }
    )
}
