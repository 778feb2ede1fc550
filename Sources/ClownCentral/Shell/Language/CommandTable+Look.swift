// Owns the description of the commands that look closely.
import Foundation

extension CommandTable {
    static let lookCommands = [photoShow, blame, watch, explain]

    private static let photoShow = CommandSpec(
        path: ["photo", "show"],
        group: "Photos",
        summary: "draw the thumbnail of a photo in the terminal",
        arguments: [ArgumentSpec("PHOTO", .photo)],
        details: "Draws with chafa (Debian: apt-get install chafa); without it, says what the photo is.",
        examples: ["photo show A.jpg"],
        build: { .look(.photo(try $0.requiredWord("PHOTO"))) }
    )

    private static let blame = CommandSpec(
        path: ["blame"],
        group: "Records",
        summary: "show who made a record and who changed it last, when, and from which device",
        arguments: [ArgumentSpec("RECORD", .record())],
        flags: [FlagSpec("zone", "ZONE", .zone, "a record of that zone of your own, and not a public one")],
        examples: ["blame party-7k2m9qwx4bdt", "blame note-7k2m9qwx4bdt --zone Notes"],
        build: { .look(.blame(record: try $0.name("RECORD"), zone: $0.text("zone"))) }
    )

    private static let watch = CommandSpec(
        path: ["watch"],
        group: "Shell",
        summary: "do a command again and again",
        arguments: [ArgumentSpec("COMMAND", .text)],
        flags: [
            FlagSpec("every", "SECONDS", .number, "how long to wait in between; 2 if not given"),
            FlagSpec("times", "N", .number, "how often; 10 if not given"),
            FlagSpec("until", "CLAIM", .text, "end when it holds, in the words of `expect`"),
        ],
        details: "Ctrl-C ends it, as does a failure.",
        examples: ["watch pending --every 1 --times 5", "watch 'party list' --until 'count > 3'"],
        build: { arguments in
            let line = try arguments.name("COMMAND")
            let every = try arguments.count("every") ?? 2
            return .look(
                .watch(
                    LookCommand.Watch(
                        line: line, every: TimeInterval(every), times: try arguments.count("times") ?? 10,
                        until: arguments.text("until"))))
        }
    )

    private static let explain = CommandSpec(
        path: ["explain"],
        group: "Shell",
        summary: "tell what went wrong last as a tree, or what an error code means",
        arguments: [ArgumentSpec("CODE", .described(ErrorReference.candidates), .optional)],
        details: """
            Without a code: the error of the command that failed last, with what lies beneath it and the
            error of each item. In both cases: what causes it, what to do, and which fault produces it here.
            """,
        examples: ["explain", "explain serverRecordChanged", "explain 14"],
        build: { .look(.explain(code: $0.word("CODE"))) }
    )
}
