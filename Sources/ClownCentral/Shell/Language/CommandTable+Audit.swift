// Owns the description of the commands about how an app uses its server.
import Foundation

extension CommandTable {
    static let auditCommands = [stats, checklist, storage, chain]

    private static let group = "Operations and their cost"
    private static let forget = FlagSpec("forget", "", .nothing, "count anew from here on")

    private static let stats = CommandSpec(
        path: ["stats"],
        group: group,
        summary: "show the requests of this shell by what they asked for: how many, failed, how large",
        flags: [FlagSpec("plain", "", .nothing, "figures alone, without bars"), forget],
        examples: ["stats", "stats --plain"],
        build: { .load(.audit(.stats(isPlain: $0.has("plain"), forgets: $0.has("forget")))) }
    )

    private static let checklist = CommandSpec(
        path: ["checklist"],
        group: group,
        summary: "hold what this shell has sent against the list of what makes a considerate app",
        flags: [forget],
        details: """
            Batches in place of loops, locked saves, slices in place of everything, being told in place of
            asking again, errors that somebody hears of.
            """,
        examples: ["checklist", "checklist --forget"],
        build: { .load(.audit(.checklist(forgets: $0.has("forget")))) }
    )

    private static let storage = CommandSpec(
        path: ["storage"],
        group: group,
        summary: "show who pays for what is stored: public data the app, private data its person",
        details: "A server elsewhere wants its key: CLOUDLET_OPERATOR_KEY_FILE=FILE.",
        examples: ["storage"],
        build: { _ in .load(.audit(.storage)) }
    )

    private static let chain = CommandSpec(
        path: ["chain"],
        group: group,
        summary: "run N saves as operations, each of which depends on the one before",
        arguments: [ArgumentSpec("N", .number)],
        flags: [
            FlagSpec("cancel-after", "K", .number, "cancel the rest when K are done"),
            FlagSpec(
                "quality", "QUALITY", .choice(ChainRequest.Quality.allCases.map(\.rawValue)),
                "how urgent it is; utility if not given"),
            FlagSpec("timeout", "SECONDS", .number, "how long each may try; as long as usual if not given"),
        ],
        details: """
            A person waits for what is user-interactive or user-initiated: without a network it fails at once.
            Other work is tried again until its time is over: a week, unless --timeout says less.
            A chain of which one link fails has no use, and the rest of it is cancelled.
            """,
        examples: ["chain 4 --cancel-after 2", "chain 2 --quality utility --timeout 60"],
        build: { arguments in
            let word = try arguments.requiredWord("N")
            guard let count = Int(word.text), (1...100).contains(count) else {
                throw Complaint.usage("N is a whole number from 1 to 100", at: word.range)
            }
            let request = ChainRequest(
                count: count, cancelledAfter: try arguments.count("cancel-after"),
                quality: try arguments.choice("quality") ?? .utility,
                timeout: try arguments.count("timeout").map(TimeInterval.init))
            return .load(.audit(.chain(request)))
        }
    )
}
