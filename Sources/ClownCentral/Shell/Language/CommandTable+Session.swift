// Owns the description of the commands about commands: scripts, names, favourites, and where answers go.
import Foundation

extension CommandTable {
    static let sessionCommands = [
        read, set, favouriteSave, favouriteRun, favouriteRemove, favouriteList, mode, output, timing,
        monitor, echo, config, edit, clear,
    ]

    private static let group = "Shell"

    private static let read = CommandSpec(
        path: ["read"],
        aliases: [".read", "\\i"],
        group: group,
        summary: "do the commands in a file; a failure ends it",
        arguments: [ArgumentSpec("FILE", .file)],
        examples: ["read party.clown"],
        build: { .shell(.read(file: try $0.requiredWord("FILE"))) }
    )

    private static let set = CommandSpec(
        path: ["set"],
        group: group,
        summary: "give a name to a text, which $NAME stands for from then on; without VALUE, forget it",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("VALUE", .text, .optional)],
        details: """
            $_ is the identifier of the first record that the last command answered: party show $_.
            A name that stands for nothing stays as it is; \\$NAME is the text $NAME. A value stays one word,
            whatever is in it.
            """,
        examples: ["set where 37.78,-122.40", "set where"],
        build: { arguments in
            let word = try arguments.requiredWord("NAME")
            guard word.text.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
                throw Complaint.usage("a name is made of letters and figures", at: word.range)
            }
            return .shell(.set(name: word.text, value: arguments.word("VALUE")?.text))
        }
    )

    private static let favouriteSave = CommandSpec(
        path: ["favourite", "save"],
        group: group,
        summary: "keep a command under a name, for later runs too; $1, $2 … stand for what it is given",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("COMMAND", .text)],
        examples: ["favourite save near 'party list --near 37.78,-122.40 --within $1'"],
        build: { .shell(.favouriteSave(name: try $0.name("NAME"), line: try $0.name("COMMAND"))) }
    )

    private static let favouriteRun = CommandSpec(
        path: ["favourite", "run"],
        aliases: ["\\f"],
        group: group,
        summary: "do a favourite",
        arguments: [ArgumentSpec("NAME", .favourite), ArgumentSpec("WORD", .text, .any)],
        examples: ["favourite run near 2km"],
        build: { arguments in
            .shell(
                .favouriteRun(
                    name: try arguments.requiredWord("NAME"),
                    arguments: arguments.words(from: "WORD").map(\.text)))
        }
    )

    private static let favouriteRemove = CommandSpec(
        path: ["favourite", "remove"],
        group: group,
        summary: "forget a favourite",
        arguments: [ArgumentSpec("NAME", .favourite)],
        examples: ["favourite remove near"],
        build: { .shell(.favouriteRemove(name: try $0.requiredWord("NAME"))) }
    )

    private static let favouriteList = CommandSpec(
        path: ["favourite", "list"],
        group: group,
        summary: "show the favourites",
        examples: ["favourite list"],
        build: { _ in .shell(.favourites) }
    )

    private static let mode = CommandSpec(
        path: ["mode"],
        aliases: [".mode"],
        group: group,
        summary: "choose how answers look from now on",
        arguments: [
            ArgumentSpec("MODE", .described(OutputMode.allCases.map { Candidate($0.rawValue, $0.summary) }))
        ],
        details: """
            table, line, json, jsonl (a line for each record), csv, markdown.
            Control codes and hidden characters in names and notes are shown as \\u{1b}.
            Only json, jsonl, and csv that goes to a file or a program keep them.
            """,
        examples: ["mode csv"],
        build: { arguments in
            let word = try arguments.requiredWord("MODE")
            guard let mode = OutputMode(rawValue: word.text) else {
                let known = OutputMode.allCases.map(\.rawValue)
                throw Complaint.usage("there is \(known.joined(separator: ", "))", at: word.range)
            }
            return .shell(.mode(mode))
        }
    )

    private static let output = CommandSpec(
        path: ["output"],
        aliases: ["\\o", ".output"],
        group: group,
        summary: "write answers to a file from now on; without FILE, to the screen again",
        arguments: [ArgumentSpec("FILE", .file, .optional)],
        details: """
            For one command: COMMAND > FILE. Into a program: COMMAND | PROGRAM, such as party list | wc -l.
            Tables are written as they would be shown, csv and JSON with all that is in the data: help mode.
            """,
        examples: ["output parties.csv", "output"],
        build: { .shell(.output(file: $0.word("FILE"))) }
    )

    private static let timing = switchCommand(
        "timing", aliases: ["\\timing", ".timer"],
        "say after each command how long it took, how much of that at the server, with how many requests"
    ) { .timing(isOn: $0) }

    private static let monitor = switchCommand(
        "monitor", aliases: [], "show every request as it is answered; at a terminal, above the line"
    ) { .monitor(isOn: $0) }

    private static let echo = switchCommand(
        "echo", aliases: [".echo"], "show each command of a script before its answer"
    ) { .echo(isOn: $0) }

    private static let config = CommandSpec(
        path: ["config", "list"],
        group: group,
        summary: "show the settings of this shell, and where each comes from",
        examples: ["config list"],
        build: { _ in .shell(.config) }
    )

    private static let edit = CommandSpec(
        path: ["edit"],
        aliases: ["\\e"],
        group: group,
        summary: "write a command in your text editor, beginning with the last one, and do what is saved",
        arguments: [ArgumentSpec("[COMMAND]", .command, .rest)],
        details: """
            Opens $VISUAL, or $EDITOR, or vi. Several lines are several commands, and one entry of the
            history; a line goes on in the next with a backslash at its end. Leave without saving, and nothing
            is done.
            """,
        examples: ["edit", "edit record find Party"],
        build: { arguments in
            let words = arguments.positions
            if words.isEmpty { return .shell(.edit(nil)) }
            let isLine = words.count == 1 && words[0].text.contains(" ")
            let text = words.map { Quoting.quoted($0.text) }.joined(separator: " ")
            return .shell(.edit(isLine ? words[0].text : text))
        }
    )

    private static let clear = CommandSpec(
        path: ["clear"],
        aliases: ["cls"],
        group: group,
        summary: "clear the screen, as Ctrl-L does; faults end with: fault clear",
        examples: ["clear"],
        build: { _ in .shell(.clear) }
    )

    private static func switchCommand(
        _ name: String, aliases: [String], _ summary: String,
        _ command: @escaping @Sendable (Bool) -> ShellCommand
    ) -> CommandSpec {
        CommandSpec(
            path: [name], aliases: aliases, group: group, summary: summary,
            arguments: [ArgumentSpec("on|off", .choice(["on", "off"]))],
            examples: ["\(name) on"],
            build: { arguments in
                let word = try arguments.requiredWord("on|off")
                guard ["on", "off"].contains(word.text) else {
                    throw Complaint.usage("`\(name)` is on or off", at: word.range)
                }
                return .shell(command(word.text == "on"))
            }
        )
    }
}
