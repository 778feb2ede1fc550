/// The commands that every shell has.
enum ShellCommands {
    static let group = "Shell"

    /// All these commands, in the order of the help.
    static let all = [
        read, set, favouriteSave, favouriteRun, favouriteRemove, favouriteList, mode, output, timing, echo,
        watch, config, edit, clear, version, help, expect, quit,
    ]

    /// Words that other shells have as commands.
    static let explainedWords = [
        ExplainedWord(
            "history", message: "`history` is no command",
            remedy: "the arrow keys bring back earlier lines, and Ctrl-R searches them"),
        ExplainedWord(
            ";", message: "a command ends with its line and needs no `;`", remedy: "leave it out"),
    ]

    // MARK: Scripts and names

    private static let read = CommandSpec(
        ["read"],
        aliases: [".read", "\\i"],
        group: group,
        summary: "run the commands in a file; a failure ends it",
        arguments: [ArgumentSpec("FILE", .file)],
        examples: ["read commands.txt"],
        isHarmless: true
    ) { arguments in
        let file = try arguments.requiredWord("FILE")
        return .shell { try await $0.read(file) }
    }

    private static let set = CommandSpec(
        ["set"],
        group: group,
        summary: "set the variable $NAME; without VALUE, delete it",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("VALUE", .text, .optional)],
        details: """
            $_ is the identifier of the first record in the last answer, or its URL if it has no other.
            A name that is not set stays unchanged; \\$NAME is the text $NAME. A value stays one word,
            whatever it contains. After |, a value between backticks or in "$(...)" is inserted only if
            it consists of letters, digits and ._,:@+=/~-.
            """,
        examples: ["set where 37.78,-122.40", "set where"],
        isHarmless: true
    ) { arguments in
        let word = try arguments.requiredWord("NAME")
        guard word.text.wholeMatch(of: /[A-Za-z][A-Za-z0-9]*/) != nil else {
            throw ShellError.usage(
                "the name of a variable is a letter, followed by letters and digits", at: word.range)
        }
        let (name, value) = (word.text, arguments.word("VALUE")?.text)
        return .shell { runner in
            runner.state.change { $0.variables[name] = value }
            return runner.messageOutcome(value.map { "$\(name) is \($0)" } ?? "$\(name) is not set")
        }
    }

    // MARK: Favourites

    private static let favouriteSave = CommandSpec(
        ["favourite", "save"],
        group: group,
        summary: "save a command under a name, also for later runs; $1, $2 … are its arguments",
        arguments: [ArgumentSpec("NAME", .text), ArgumentSpec("COMMAND", .text)],
        examples: ["favourite save short 'help $1'"]
    ) { arguments in
        let (name, line) = (try arguments.name("NAME"), try arguments.name("COMMAND"))
        return .shell { try $0.saveFavourite(line, as: name) }
    }

    private static let favouriteRun = CommandSpec(
        ["favourite", "run"],
        aliases: ["\\f"],
        group: group,
        summary: "run a favourite",
        arguments: [ArgumentSpec("NAME", .favourite), ArgumentSpec("WORD", .text, .any)],
        examples: ["favourite run near 2km"],
        isHarmless: true
    ) { arguments in
        let name = try arguments.requiredWord("NAME")
        let words = arguments.words(from: "WORD").map(\.text)
        return .shell { try await $0.runFavourite(name, words) }
    }

    private static let favouriteRemove = CommandSpec(
        ["favourite", "remove"],
        group: group,
        summary: "delete a favourite",
        arguments: [ArgumentSpec("NAME", .favourite)],
        examples: ["favourite remove near"]
    ) { arguments in
        let name = try arguments.requiredWord("NAME")
        return .shell { try $0.removeFavourite(name) }
    }

    private static let favouriteList = CommandSpec(
        ["favourite", "list"], group: group, summary: "show the favourites", examples: ["favourite list"],
        isHarmless: true
    ) { _ in
        .shell { await $0.listFavourites() }
    }

    // MARK: Answers

    private static let mode = CommandSpec(
        ["mode"],
        aliases: [".mode"],
        group: group,
        summary: "choose the format of answers",
        arguments: [
            ArgumentSpec("MODE", .described(OutputMode.allCases.map { Candidate($0.rawValue, $0.summary) }))
        ],
        details: """
            table, line, json, jsonl (a line for each record), csv, markdown.
            Control codes and hidden characters in names and notes are shown as \\u{1b}.
            Only json, jsonl, and csv that goes to a file or a program keep them.
            """,
        examples: ["mode csv"]
    ) { arguments in
        let word = try arguments.requiredWord("MODE")
        guard let mode = OutputMode(rawValue: word.text) else {
            let known = OutputMode.allCases.map(\.rawValue)
            throw ShellError.usage(
                "there is no mode `\(word.text)`; the modes are \(known.joined(separator: ", "))",
                at: word.range, suggestions: DidYouMean.suggestions(for: word.text, among: known))
        }
        return .shell { runner in
            var runner = runner
            // The answer to a change from JSON is a message already, without an empty document.
            if runner.state.current.mode == .json { runner.renderer.mode = mode }
            runner.state.change { $0.mode = mode }
            return runner.messageOutcome("answers are \(mode.rawValue)")
        }
    }

    private static let output = CommandSpec(
        ["output"],
        aliases: ["\\o", ".output"],
        group: group,
        summary: "write answers to a file; without FILE, to the screen again",
        arguments: [ArgumentSpec("FILE", .file, .optional)],
        details: """
            For one command: COMMAND > FILE. Into a program: COMMAND | PROGRAM, such as help | wc -l.
            Tables are written as on the screen; csv and JSON contain the data unchanged: help mode.
            """,
        examples: ["output answers.csv", "output"]
    ) { arguments in
        let file = arguments.word("FILE")
        return .shell { runner in
            let url = try file.map(runner.writable)
            runner.state.change { $0.output = url }
            return runner.messageOutcome(
                file.map { "answers go to \($0.text)" } ?? "answers go to the screen")
        }
    }

    private static let timing = CommandSpec.toggle(
        "timing", aliases: ["\\timing", ".timer"], group: group,
        "show after each command its duration, the server's part of it, and the number of requests"
    ) { runner, isOn in
        runner.state.change { $0.isTiming = isOn }
    }

    private static let echo = CommandSpec.toggle(
        "echo", aliases: [".echo"], group: group, "show each command of a script before its answer"
    ) { runner, isOn in
        runner.state.change { $0.isEchoing = isOn }
    }
}

extension CommandSpec {
    /// Creates a command with the argument `on` or `off`, which confirms the new state.
    public static func toggle(
        _ name: String, aliases: [String] = [], group: String, _ summary: String,
        _ change: @escaping @Sendable (StatementRunner, _ isOn: Bool) -> Void
    ) -> CommandSpec {
        CommandSpec(
            [name], aliases: aliases, group: group, summary: summary,
            arguments: [ArgumentSpec("on|off", .choice(["on", "off"]))], examples: ["\(name) on"]
        ) { arguments in
            let word = try arguments.requiredWord("on|off")
            guard ["on", "off"].contains(word.text) else {
                throw ShellError.usage("`\(name)` is on or off", at: word.range)
            }
            return .shell { runner in
                change(runner, word.text == "on")
                return runner.messageOutcome("\(name) is \(word.text)")
            }
        }
    }
}
