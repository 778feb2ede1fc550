import Foundation

/// Parses a line into a command. Its errors point at the word in the line.
struct Parser {
    let table: CommandTable
    /// The current time, which `tomorrow` and `+2d` count from.
    let now: Date

    /// A line whose words are assigned to arguments and flags, but not converted to values.
    private enum Reading {
        case command(ParsedArguments, isJSON: Bool)
        case help(topic: [String])
    }

    /// The request of a line; nil for a blank line or a comment. Every command accepts `--json` in addition
    /// to its own flags, except commands whose first argument takes all remaining words (`rest`).
    func request(_ line: String) throws -> Request? {
        switch try read(line) {
        case nil: nil
        case .help(let topic): Request(action: .help(topic: topic))
        case .command(let arguments, let isJSON):
            Request(spec: arguments.spec, action: try arguments.spec.action(arguments), isJSON: isJSON)
        }
    }

    /// The arguments of a line's command; nil if the line asks for help or is blank.
    func arguments(_ line: String) throws -> ParsedArguments? {
        if case .command(let arguments, _)? = try read(line) { arguments } else { nil }
    }

    /// The arguments of the command in these words; nil if the words ask for help, or are wrong.
    func arguments(in words: [Word]) -> ParsedArguments? {
        if case .command(let arguments, _)? = try? read(words) { arguments } else { nil }
    }

    private func read(_ line: String) throws -> Reading? {
        try read(try Tokenizer.words(in: line))
    }

    private func read(_ words: [Word]) throws -> Reading? {
        guard let first = words.first else { return nil }
        if words.count == 2, table.isGroup(first.text), Self.asksForHelp(words[1]) || Self.isHelp(words[1]) {
            return .help(topic: [first.text])
        }
        let spec = try table.command(for: words)
        var given = Array(words.dropFirst(table.nameLength(of: spec, in: words)))
        if spec.arguments.first?.arity == .rest {
            return .command(try assign(given, for: spec), isJSON: false)
        }
        if given.count == 1, spec.requiredCount == 0, Self.isHelp(given[0]) { return .help(topic: spec.path) }
        if given.contains(where: Self.asksForHelp) { return .help(topic: spec.path) }
        let count = given.count
        given.removeAll { !$0.isQuoted && $0.text == CommandTable.jsonFlag.spelling }
        return .command(try assign(given, for: spec), isJSON: given.count < count)
    }

    private static func asksForHelp(_ word: Word) -> Bool {
        !word.isQuoted && (word.text == "--help" || word.text == "-h")
    }

    /// Whether the word is `help`, as in `task help`. A name `help` must be quoted.
    private static func isHelp(_ word: Word) -> Bool {
        !word.isQuoted && word.text == "help"
    }

    /// Assigns each word to an argument or flag.
    ///
    /// - Throws: `ShellError` if a word is missing or left over.
    private func assign(_ words: [Word], for spec: CommandSpec) throws -> ParsedArguments {
        var positions: [Word] = []
        var fields: [Word] = []
        var flags: [String: Word] = [:]
        var flagsEnded = spec.arguments.first?.arity == .rest
        var index = 0
        while index < words.count {
            let word = words[index]
            index += 1
            if !flagsEnded, !word.isQuoted, word.text == "--" {
                flagsEnded = true
            } else if !flagsEnded,
                let field = Self.fieldWord(
                    word, of: spec, next: index < words.count ? words[index] : nil)
            {
                if field.usesNext { index += 1 }
                fields.append(field.word)
            } else if !flagsEnded, Self.isFlag(word) {
                let (flag, value) = try readFlag(
                    word, of: spec, next: index < words.count ? words[index] : nil)
                if value.isNext { index += 1 }
                if flags.updateValue(value.word, forKey: flag.name) != nil {
                    throw ShellError.usage("\(flag.spelling) is given twice", at: word.range)
                }
            } else {
                guard spec.argument(at: positions.count) != nil else {
                    throw tooMany(Array(words[(index - 1)...]), after: positions, flags, of: spec)
                }
                positions.append(word)
            }
        }
        positions += fields
        if positions.count < spec.requiredCount {
            throw Self.missing(spec.arguments[positions.count], of: spec)
        }
        if let flag = spec.flags.first(where: { $0.isRequired && flags[$0.name] == nil }) {
            throw ShellError.usage("\(flag.usage) is missing", remedy: spec.usage)
        }
        return ParsedArguments(spec: spec, positions: positions, flags: flags, now: now)
    }

    /// The error for a missing argument, with the first of the words to choose from.
    private static func missing(_ argument: ArgumentSpec, of spec: CommandSpec) -> ShellError {
        let words = argument.kind.name == "choice" ? argument.kind.words : []
        let shown = words.prefix(listedChoices).joined(separator: ", ")
        let choices = words.isEmpty ? "" : ": \(shown)" + (words.count > listedChoices ? ", …" : "")
        return ShellError.usage("\(argument.name) is missing\(choices)", remedy: spec.usage)
    }

    private static let listedChoices = 8

    /// The error for an unexpected word. The suggestions consider that the first word may be a mistyped verb,
    /// and that a required flag may be missing.
    private func tooMany(
        _ left: [Word], after given: [Word], _ flags: [String: Word], of spec: CommandSpec
    ) -> ShellError {
        let word = left[0]
        if !word.isQuoted, [";", "&&"].contains(word.text) {
            return ShellError.usage(
                "`\(word.text)` joins no commands here: a line is one command", at: word.range,
                remedy: "give each command a line or a -c of its own")
        }
        let verbs = spec.path.count == 1 ? table.verbs(of: spec.path[0]) : []
        var meant = given.first.map { CommandTable.meant(by: $0.text, among: verbs) } ?? []
        meant = meant.map { "\(spec.path[0]) \($0)" }
        if let flag = spec.flags.first(where: { $0.isRequired && flags[$0.name] == nil }) {
            let words = given.map { Quoting.quoted($0.text) } + [flag.spelling, Quoting.quoted(word.text)]
            let line = ([spec.name] + words).joined(separator: " ")
            // The command may refuse the word as the value of the flag.
            if (try? request(line)) != nil { meant.append(line) }
        }
        let sides = word.text.split(separator: "=", maxSplits: 1).map(String.init)
        if sides.count == 2, let flag = spec.flag(sides[0]), flag.kind != .nothing {
            meant.append("\(flag.spelling) \(Quoting.quoted(sides[1]))")
        }
        if spec.arguments.last?.name == Self.commandArgument {
            meant = [Self.quotingCommand(given, left, of: spec)]
        }
        return ShellError.usage(
            "`\(word.text)` is one word too many", at: word.range, suggestions: meant,
            remedy: tooManyRemedy(spec, for: word))
    }

    /// The line with the words of its last argument, which is a command, in quotes. A number in front of the
    /// command is left out: the program `watch` of other systems expects an interval there.
    private static func quotingCommand(_ given: [Word], _ left: [Word], of spec: CommandSpec) -> String {
        let leading = given.prefix(spec.arguments.count - 1).map { Quoting.quoted($0.text) }
        let words = (given.dropFirst(leading.count) + left).drop { Int($0.text) != nil }
        let command = words.prefix { !isFlag($0) }.map(\.text).joined(separator: " ")
        return ([spec.name] + leading + [Quoting.quoted(command)]).joined(separator: " ")
    }

    private func tooManyRemedy(_ spec: CommandSpec, for word: Word) -> String {
        if spec.arguments.last?.name == Self.commandArgument {
            return "put the command in quotes: \(spec.usage)"
        }
        let mayBeSplit = !spec.arguments.isEmpty && !word.isQuoted
        return mayBeSplit ? "put a name of several words in quotes: \(spec.usage)" : spec.usage
    }

    /// Whether the word is a flag: dashes and a letter, so that `-33.86,151.2` is a place.
    private static func isFlag(_ word: Word) -> Bool {
        guard !word.isQuoted else { return false }
        return word.text.hasPrefix("--") && word.text.dropFirst(2).first?.isLetter == true
            || word.text.hasPrefix("-") && word.text.dropFirst().first?.isLetter == true
    }

    /// The name of an argument that is a whole command.
    static let commandArgument = "COMMAND"

    /// The positional word for a flag that names a field of the command: `--place Pier` is `place=Pier`, so
    /// that the same spelling works when an object is created and when it is changed.
    private static func fieldWord(
        _ word: Word, of spec: CommandSpec, next: Word?
    ) -> (word: Word, usesNext: Bool)? {
        guard isFlag(word), word.text.hasPrefix("--") else { return nil }
        let parts = word.text.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard spec.flag(name) == nil, spec.fieldNames.contains(name) else { return nil }
        if parts.count == 2 { return (Word("\(name)=\(parts[1])", range: word.range, isQuoted: true), false) }
        guard let next, next.isQuoted || !next.text.hasPrefix("--") else { return nil }
        let range = word.range.lowerBound..<next.range.upperBound
        return (Word("\(name)=\(next.text)", range: range, isQuoted: true), true)
    }

    private func readFlag(
        _ word: Word,
        of spec: CommandSpec,
        next: Word?
    ) throws -> (FlagSpec, (word: Word, isNext: Bool)) {
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0].drop { $0 == "-" })
        guard word.text.hasPrefix("--"), let flag = spec.flag(name) else {
            let spellings = spec.flags.map(\.spelling) + spec.fieldNames.map { "--\($0)" }
            throw ShellError.usage(
                "`\(spec.name)` has no flag \(parts[0])",
                at: word.range,
                suggestions: DidYouMean.suggestions(for: "--" + name, among: spellings),
                remedy: spec.usage
            )
        }
        if parts.count == 2 {
            if flag.kind == .nothing {
                throw ShellError.usage("\(flag.spelling) takes no value", at: word.range)
            }
            return (flag, (Word(String(parts[1]), range: word.range, isQuoted: true), false))
        }
        if flag.kind == .nothing { return (flag, (word, false)) }
        guard let next, next.isQuoted || !next.text.hasPrefix("--") else {
            throw ShellError.usage("\(flag.spelling) needs \(flag.value)", at: word.range, remedy: spec.usage)
        }
        return (flag, (next, true))
    }
}
