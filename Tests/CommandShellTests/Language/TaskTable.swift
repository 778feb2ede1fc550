import Foundation

@testable import CommandShell

extension ValueKind {
    static let task = ValueKind("task")
}

extension CommandTable {
    /// The commands of a program about tasks, with arguments and flags of every kind, and those of any shell.
    static let tasks = CommandTable(taskCommands + fileCommands + ShellCommands.all)

    /// Commands whose first words are groups too.
    static let syncs = CommandTable([
        spec("sync start", []), spec("sync stop", []),
        spec(
            "sync", [],
            [FlagSpec("wait", "", .nothing, "wait"), FlagSpec("say", "", .nothing, "print each step")]),
        spec("play all", []), spec("play", [ArgumentSpec("NAME", .text)]),
    ])

    private static let taskCommands: [CommandSpec] = [
        spec(
            "task create", [ArgumentSpec("NAME", .text)],
            [
                FlagSpec("place", "TEXT", .text, "where"),
                FlagSpec("at", "LAT,LON", .place, "at which place"),
                FlagSpec("starts", "WHEN", .moment, "when"), FlagSpec("summary", "TEXT", .text, "what"),
            ]
        ) { arguments in
            _ = try arguments.name("NAME")
            _ = try arguments.moment("starts")
            _ = try arguments.flags["at"].map(ParsedArguments.place)
        },
        spec(
            "task list", [],
            [
                FlagSpec("search", "WORD", .text, "with this word"),
                FlagSpec("sort", "ORDER", .choice(["date", "distance"]), "in which order"),
                FlagSpec("within", "DISTANCE", .distance, "how far"),
                FlagSpec("limit", "N", .number, "how many"),
            ]
        ) { arguments in
            _ = try arguments.count("limit")
            _ = try arguments.distance("within")
        },
        spec("task show", [ArgumentSpec("TASK", .task)]),
        spec(
            "task edit",
            [ArgumentSpec("TASK", .task), ArgumentSpec("FIELD=VALUE", .choice(["place="]), .many)]),
        spec("task delete", [ArgumentSpec("TASK", .task)], [FlagSpec("yes", "", .nothing, "do not ask")]),
        spec("project create", [ArgumentSpec("NAME", .text)]),
        spec("project list", []),
        spec("status", []),
    ]

    private static let fileCommands: [CommandSpec] = [
        spec("file add", [ArgumentSpec("TASK", .task), ArgumentSpec("FILE", .file, .many)]),
        spec(
            "file move", [ArgumentSpec("NAME", .text)],
            [FlagSpec("to", "TASK", .task, "to which task", isRequired: true)]),
        spec(
            "file save", [ArgumentSpec("NAME", .text), ArgumentSpec("FILE", .file)],
            [FlagSpec("small", "", .nothing, "a small one")]),
    ]

    private static func spec(
        _ name: String, _ arguments: [ArgumentSpec], _ flags: [FlagSpec] = [],
        check: @escaping @Sendable (ParsedArguments) throws -> Void = { _ in }
    ) -> CommandSpec {
        let path = name.split(separator: " ").map(String.init)
        return CommandSpec(
            path, group: "Tasks", summary: name, arguments: arguments, flags: flags, examples: [name]
        ) { arguments in
            try check(arguments)
            return .work { .message(name) }
        }
    }
}
