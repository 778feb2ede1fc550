// Owns the description of the commands about the shell itself.
import Foundation

extension CommandTable {
    static let shellCommands = [status, limits, version, help, expect, quit]

    private static let group = "Shell"

    private static let status = CommandSpec(
        path: ["status"],
        group: group,
        summary: "show server, place, account, what waits, what is allowed, and the faults in force",
        details: """
            `pending` counts the changes that wait on this device, `privateData` is what the person's data
            takes up, and may. Every limit: limits. The faults in force show in the prompt, too.
            """,
        examples: ["status", "status --json"],
        build: { _ in .status }
    )

    private static let limits = CommandSpec(
        path: ["limits"],
        group: group,
        summary: "show every limit that the server publishes: of requests, records, files, rates, room",
        examples: ["limits"],
        build: { _ in .limits }
    )

    private static let version = CommandSpec(
        path: ["version"],
        aliases: [".version"],
        group: group,
        summary: "show the release, and which line editor it was built with",
        examples: ["version"],
        build: { _ in .version }
    )

    private static let help = CommandSpec(
        path: ["help"],
        aliases: ["?", "\\?", ".help", "\\h"],
        group: group,
        summary: "show all commands, or one in detail",
        arguments: [ArgumentSpec("[COMMAND]", .command, .rest)],
        examples: ["help", "help party list", "party list --help"],
        build: { .help(topic: $0.positions.map(\.text)) }
    )

    private static let expect = CommandSpec(
        path: ["expect"],
        group: group,
        summary: "check the result of the command before",
        arguments: [ArgumentSpec("CLAIM", .expectation, .rest)],
        details: """
            A claim that does not hold is a failure and stops a script. The claims are:

              ok                      the command succeeded
              error                   the command failed; a script goes on when this follows a failure
              error CODE              it failed with this code, for example notFound
              none                    there are no records
              count N                 there are N records; also: count >= N
              contains TEXT           some text of the result contains TEXT, whatever its case
              FIELD = VALUE           the field of the first record, or a fact such as saved or more
              FIELD[3] = VALUE        the field of the third record
              every FIELD = VALUE     the field of every record, of which there is at least one
              sorted FIELD            the records come in ascending order of the field
              sorted FIELD descending

            Between FIELD and VALUE stands one of = != < <= > >= or ~, which means contains.
            A FIELD is a name as --json prints it, inner names after a dot (thumbnail.width).
            The VALUE `none` stands for a missing value.
            """,
        examples: ["expect count 10", "expect name = Coffee", "expect every distance <= 5000"],
        build: { .expect(try Expectation.parse($0.positions)) }
    )

    private static let quit = CommandSpec(
        path: ["quit"],
        aliases: ["exit", "\\q", ".quit", ".exit"],
        group: group,
        summary: "leave the shell, with an exit code if one is given",
        arguments: [ArgumentSpec("CODE", .number, .optional)],
        examples: ["quit", "quit 3"],
        build: { arguments in
            guard let word = arguments.word("CODE") else { return .quit(code: 0) }
            guard let code = Int32(word.text), (0...255).contains(code) else {
                throw Complaint.usage("an exit code is a number from 0 to 255", at: word.range)
            }
            return .quit(code: code)
        }
    )
}
