import Foundation

/// A first word that is no command of the shell, but of the program around it: the walkthrough, for example.
public struct CommandElsewhere: Sendable {
    let word: String
    let message: String
    let remedy: String

    /// What to say to whoever types that word at the prompt.
    public init(_ word: String, message: String, remedy: String) {
        self.word = word
        self.message = message
        self.remedy = remedy
    }
}

/// All commands of a shell, in the order that help shows them.
public struct CommandTable: Sendable {
    /// The commands.
    public let commands: [CommandSpec]
    private let elsewhere: [CommandElsewhere]

    /// A table of commands, and of words that belong elsewhere.
    public init(_ commands: [CommandSpec], elsewhere: [CommandElsewhere] = []) {
        self.commands = commands
        self.elsewhere = elsewhere
    }

    /// The commands of a program, followed by those of the shell itself.
    public init(of program: some ShellProgram) {
        self.init(program.commands + ShellCommands.all, elsewhere: program.elsewhere)
    }

    /// The flag that every command takes.
    static let jsonFlag = FlagSpec("json", "", .nothing, "answer with one JSON document")

    /// The command that the first words name; throws a complaint with the nearest names.
    public func command(for words: [Word]) throws -> CommandSpec {
        guard let first = words.first else { throw Complaint.usage("there is no command") }
        if let spec = commands.first(where: { nameLength(of: $0, in: words) > 0 }) { return spec }
        let verbs = verbs(of: first.text)
        if verbs.isEmpty { throw unknown(first) }
        guard words.count > 1, !["--help", "-h"].contains(words[1].text) else {
            let message = "`\(first.text)` needs one of \(verbs.joined(separator: ", "))"
            throw Complaint.usage(message, at: first.range, remedy: "help \(first.text)")
        }
        throw Complaint.usage(
            "`\(first.text)` has no command `\(words[1].text)`; it has \(verbs.joined(separator: ", "))",
            at: words[1].range,
            suggestions: Self.meant(by: words[1].text, among: verbs).map { "\(first.text) \($0)" },
            remedy: "help \(first.text)"
        )
    }

    /// The verbs that a mistyped one may mean: those that look alike, or else those that mean the same.
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

    /// How many of `words` name `spec`: none if they name something else.
    func nameLength(of spec: CommandSpec, in words: [Word]) -> Int {
        if let first = words.first, spec.aliases.contains(first.text) { return 1 }
        return words.prefix(spec.path.count).map(\.text) == spec.path ? spec.path.count : 0
    }

    /// The commands that a topic of help names: one command, or all of a group.
    func commands(topic: [String]) -> [CommandSpec] {
        commands.filter {
            Array($0.path.prefix(topic.count)) == topic || (topic.count == 1 && $0.aliases.contains(topic[0]))
        }
    }

    /// The second words of the commands that begin with a word.
    public func verbs(of group: String) -> [String] {
        commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { $0.path[1] }
    }

    /// Whether a word begins several commands, such as `task`.
    func isGroup(_ word: String) -> Bool {
        commands.contains { $0.path.count > 1 && $0.path[0] == word }
    }

    /// The complaint about a first word that starts no command.
    func unknown(_ word: Word) -> Complaint {
        if let other = elsewhere.first(where: { $0.word == word.text }) {
            return Complaint.usage(other.message, at: word.range, remedy: other.remedy)
        }
        return Complaint.usage(
            "there is no command `\(word.text)`",
            at: word.range,
            suggestions: suggestions(for: word.text),
            remedy: "help"
        )
    }

    /// The commands that a mistyped first word may mean; a verb without its group counts too.
    private func suggestions(for typed: String) -> [String] {
        var firsts: [String] = []
        for word in commands.map({ $0.path[0] }) where !firsts.contains(word) { firsts.append(word) }
        let near = DidYouMean.suggestions(for: typed, among: firsts)
        let verbs = commands.filter { $0.path.count > 1 }
        let nearVerbs = DidYouMean.suggestions(for: typed, among: unique(verbs.map { $0.path[1] }))
        let exact = verbs.filter { $0.path[1] == typed }.map(\.name)
        let named = verbs.filter { nearVerbs.contains($0.path[1]) }.map(\.name)
        return Array(unique(exact + near + named).prefix(4))
    }

    private func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
