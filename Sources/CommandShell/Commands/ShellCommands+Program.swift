import Foundation

extension ShellCommands {
    static let watch = CommandSpec(
        ["watch"],
        group: group,
        summary: "repeat a command at an interval",
        arguments: [ArgumentSpec("COMMAND", .text)],
        flags: [
            FlagSpec("every", "SECONDS", .number, "seconds between two runs; 2 if not given"),
            FlagSpec("times", "N", .number, "number of runs; 10 if not given"),
            FlagSpec("until", "CLAIM", .text, "end when this claim of `expect` is met"),
        ],
        details: "Ctrl-C or a failure ends it.",
        examples: ["watch version --every 1 --times 5", "watch 'favourite list' --until 'count > 3'"]
    ) { arguments in
        let watch = Watch(
            line: try arguments.name("COMMAND"), every: TimeInterval(try arguments.count("every") ?? 2),
            times: try arguments.count("times") ?? 10, until: arguments.text("until"))
        return .shell { await $0.watch(watch) }
    }

    static let config = CommandSpec(
        ["config", "list"],
        group: group,
        summary: "show each setting of this shell and its source",
        examples: ["config list"],
        isHarmless: true
    ) { _ in
        .shell { runner in
            let entries = runner.environment.settings.map { setting in
                Entry([
                    AnswerField("setting", .text(setting.name)), AnswerField("value", .text(setting.value)),
                    AnswerField("from", .text(setting.source)),
                ])
            }
            let answer = Answer(
                form: .list, entries: entries,
                columns: [Column("SETTING", "setting"), Column("VALUE", "value"), Column("FROM", "from")])
            return await runner.answered(answer)
        }
    }

    static let edit = CommandSpec(
        [editName],
        aliases: ["\\e"],
        group: group,
        summary: "edit the last command in your text editor and run what you save",
        arguments: [ArgumentSpec("[COMMAND]", .command, .rest)],
        details: """
            Opens $VISUAL, otherwise $EDITOR, otherwise vi. Each line is a command, and all lines
            are one entry of the history; a backslash at the end of a line continues it in the next.
            If you leave without saving, nothing is run.
            """,
        examples: ["edit", "edit help version"]
    ) { _ in
        .shell { runner in
            throw ShellError.usage(
                "`edit` needs a terminal",
                remedy: "\(runner.program.names.invocation), and at its prompt: edit")
        }
    }

    private static let editName = "edit"

    /// The initial text for the editor if the command is `edit`, else nil. If it is empty, the editor opens
    /// the last line of the history.
    static func textToEdit(_ arguments: ParsedArguments) -> String? {
        guard arguments.spec.path == [editName] else { return nil }
        let words = arguments.positions
        if words.count == 1, words[0].text.contains(" ") { return words[0].text }
        return words.map { Quoting.quoted($0.text) }.joined(separator: " ")
    }

    static let clear = CommandSpec(
        ["clear"],
        aliases: ["cls"],
        group: group,
        summary: "clear the screen, as Ctrl-L does",
        examples: ["clear"],
        isHarmless: true
    ) { _ in
        .shell { runner in
            if runner.isJSON {
                return StatementOutcome(rendering: runner.renderer.render(Answer(form: .message)))
            }
            runner.environment.clearScreen?()
            return StatementOutcome()
        }
    }

    static let version = CommandSpec(
        ["version"],
        aliases: [".version"],
        group: group,
        summary: "show the release and its line editor",
        examples: ["version"],
        isHarmless: true
    ) { _ in
        .shell { runner in
            await runner.answered(Answer(form: .record, entries: [Entry(runner.program.version)]))
        }
    }

    static let help = CommandSpec(
        ["help"],
        aliases: ["?", "\\?", ".help", "\\h"],
        group: group,
        summary: "show the names of all commands, or one command in detail",
        arguments: [ArgumentSpec("[COMMAND]", .command, .rest)],
        details: "help all shows every command with its summary, help HEADING those below one heading.",
        examples: ["help", "help all", "help Shell", "help quit", "quit --help"],
        isHarmless: true
    ) {
        .help(topic: $0.positions.map(\.text))
    }

    static let expect = CommandSpec(
        ["expect"],
        group: group,
        summary: "check the result of the previous command",
        arguments: [ArgumentSpec("CLAIM", .expectation, .rest)],
        details: """
            A claim that is not met is a failure and stops a script. The claims are:

              ok                      the command succeeded
              error                   the command failed; a script continues if this follows a failure
              error CODE              it failed with this code, for example notFound
              none                    there are no records
              count N                 there are N records; also: count >= N
              contains TEXT           some text of the result contains TEXT, in any case
              FIELD = VALUE           the field of the first record, or a fact such as saved or more
              FIELD[3] = VALUE        the field of the third record
              every FIELD = VALUE     the field of every record, of which there is at least one
              sorted FIELD            the records come in ascending order of the field
              sorted FIELD descending

            Between FIELD and VALUE is one of = != < <= > >= or ~, which means contains.
            A FIELD is a name as --json prints it, inner names after a dot (thumbnail.width).
            The VALUE `none` means a missing value.
            """,
        examples: ["expect count 10", "expect name = Tea", "expect every size <= 5000"]
    ) {
        .claim(try Expectation.parse($0.positions))
    }

    static let quit = CommandSpec(
        ["quit"],
        aliases: ["exit", "\\q", ".quit", ".exit"],
        group: group,
        summary: "leave the shell, with an exit code if one is given",
        arguments: [ArgumentSpec("CODE", .number, .optional)],
        examples: ["quit", "quit 3"],
        isHarmless: true
    ) { arguments in
        guard let word = arguments.word("CODE") else { return .exit(0) }
        guard let code = Int32(word.text), (0...255).contains(code) else {
            throw ShellError.usage("an exit code is a number from 0 to 255", at: word.range)
        }
        return .exit(code)
    }
}
