// Owns the one table of commands that parsing, help and completion share.
import CommandText
import Foundation

/// All commands of the shell, in the order that help shows them.
struct CommandTable: Sendable {
    let commands: [CommandSpec]

    /// The commands of Clown Central.
    static let standard = CommandTable(
        commands: partyCommands + attendCommands + clownCommands + photoCommands + cardCommands
            + lookCommands + noteCommands + receiptCommands + syncCommands
            + batchCommands + auditCommands + zoneCommands + pushCommands + appCommands
            + worldCommands
            + peopleCommands
            + loadCommands
            + faultCommands
            + recordCommands
            + operatorCommands
            + sessionCommands + shellCommands
    )

    /// The flag that every command takes.
    static let jsonFlag = FlagSpec("json", "", .nothing, "answer with one JSON document")

    /// The command that the first words name; throws a complaint with the nearest names.
    func command(for words: [Word]) throws -> CommandSpec {
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
    func verbs(of group: String) -> [String] {
        commands.filter { $0.path.count > 1 && $0.path[0] == group }.map { $0.path[1] }
    }

    /// Whether a word begins several commands, such as `party`.
    func isGroup(_ word: String) -> Bool {
        commands.contains { $0.path.count > 1 && $0.path[0] == word }
    }

    /// The complaint about a first word that starts no command.
    func unknown(_ word: Word) -> Complaint {
        if word.text == "demo" {
            let message = "the walkthrough has servers of its own and plays outside of this shell"
            return Complaint.usage(message, at: word.range, remedy: "quit, then: clown-central demo")
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
