import Foundation

/// A first word that is not a command of the shell, with the error that explains it: for example `demo`, a
/// subcommand of the program.
public struct ExplainedWord: Sendable {
    let word: String
    let message: String
    let remedy: String

    /// Creates the entry for a word, with the message and the remedy of the error.
    public init(_ word: String, message: String, remedy: String) {
        self.word = word
        self.message = message
        self.remedy = remedy
    }
}

/// All commands of a shell, in the order of the help.
public struct CommandTable: Sendable {
    /// The commands.
    public let commands: [CommandSpec]
    private let explainedWords: [ExplainedWord]

    /// Creates a table of commands and of words that are not commands of the shell.
    public init(_ commands: [CommandSpec], explainedWords: [ExplainedWord] = []) {
        self.commands = commands
        self.explainedWords = explainedWords
    }

    /// Creates the table of a program: its own commands, then those that every shell has.
    public init(of program: some ShellProgram) {
        self.init(
            program.commands + ShellCommands.all,
            explainedWords: program.explainedWords + ShellCommands.explainedWords)
    }

    /// The flag that every command accepts.
    static let jsonFlag = FlagSpec("json", "", .nothing, "answer with one JSON document")

    /// Finds the command that the first words name.
    ///
    /// - Throws: `ShellError` with the nearest names if there is no such command.
    public func command(for words: [Word]) throws -> CommandSpec {
        guard let first = words.first else { throw ShellError.usage("there is no command") }
        if let spec = commands.first(where: { nameLength(of: $0, in: words) > 0 }) { return spec }
        let verbs = verbs(of: first.text)
        if verbs.isEmpty { throw unknown(first, before: Array(words.dropFirst())) }
        guard words.count > 1, !["--help", "-h"].contains(words[1].text) else {
            let message = "`\(first.text)` needs one of \(verbs.joined(separator: ", "))"
            throw ShellError.usage(message, at: first.range, remedy: "help \(first.text)")
        }
        throw ShellError.usage(
            "`\(first.text)` has no command `\(words[1].text)`; it has \(verbs.joined(separator: ", "))",
            at: words[1].range,
            suggestions: Self.meant(by: words[1].text, among: verbs).map { "\(first.text) \($0)" },
            remedy: "help \(first.text)"
        )
    }

    /// The verbs that a mistyped verb may mean: similar ones or, if there are none, synonyms.
    static func meant(by typed: String, among verbs: [String]) -> [String] {
        let alike = DidYouMean.suggestions(for: typed, among: verbs)
        if !alike.isEmpty { return alike }
        let synonyms = [
            ["create", "add", "new", "make", "save", "assign"], ["delete", "remove", "rm", "drop", "revoke"],
            ["list", "ls", "all", "find", "search"], ["show", "get", "view", "open"],
            ["edit", "change", "update", "set"],
        ]
        let group = synonyms.first { $0.contains(typed) } ?? []
        return verbs.filter(group.contains)
    }

    /// How many of `words` belong to the name of `spec`; 0 if they name another command.
    func nameLength(of spec: CommandSpec, in words: [Word]) -> Int {
        if let first = words.first, spec.aliases.contains(first.text) { return 1 }
        return words.prefix(spec.path.count).map(\.text) == spec.path ? spec.path.count : 0
    }

    /// The commands that a help topic names: the command of that name, then those whose names begin with it.
    func commands(topic: [String]) -> [CommandSpec] {
        let found = commands.filter {
            Array($0.path.prefix(topic.count)) == topic || (topic.count == 1 && $0.aliases.contains(topic[0]))
        }
        return found.filter { $0.path == topic } + found.filter { $0.path != topic }
    }

    /// The second words of all commands whose first word is `group`.
    public func verbs(of group: String) -> [String] {
        commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { $0.path[1] }
    }

    /// Whether several commands begin with this word, for example `task`.
    func isGroup(_ word: String) -> Bool {
        commands.contains { $0.path.count > 1 && $0.path[0] == word }
    }

    /// The error for an unknown first word. `rest` are the words after it.
    private func unknown(_ word: Word, before rest: [Word]) -> ShellError {
        if let other = explainedWords.first(where: { $0.word == word.text }) {
            return ShellError.usage(other.message, at: word.range, remedy: other.remedy)
        }
        return ShellError.usage(
            "there is no command `\(word.text)`",
            at: word.range,
            suggestions: suggestions(for: word.text, before: rest),
            remedy: "help"
        )
    }

    /// The commands that a mistyped first word may mean. A verb that was typed without its group is matched,
    /// too. If the next word is a verb of a suggested group, the suggestion is the whole line: `task add Tea`
    /// for `tsk add Tea`.
    private func suggestions(for typed: String, before rest: [Word]) -> [String] {
        var firsts: [String] = []
        for word in commands.map({ $0.path[0] }) where !firsts.contains(word) { firsts.append(word) }
        let near = DidYouMean.suggestions(for: typed, among: firsts).map { first in
            guard let verb = rest.first?.text, verbs(of: first).contains(verb) else { return first }
            return ([first] + rest.map { Quoting.quoted($0.text) }).joined(separator: " ")
        }
        let grouped = commands.filter { $0.path.count > 1 }
        let nearVerbs = DidYouMean.suggestions(for: typed, among: unique(grouped.map { $0.path[1] }))
        let exact = grouped.filter { $0.path[1] == typed }.map(\.name)
        let named = grouped.filter { nearVerbs.contains($0.path[1]) }.map(\.name)
        return Array(unique(exact + near + named).prefix(4))
    }

    private func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
