import Foundation

/// The help texts for all commands, for a group and for one command.
struct HelpText {
    let table: CommandTable

    /// The topic that lists every command with its summary.
    static let allCommands = "all"

    /// The number of lines that fit on a terminal of 24 rows, with the line of the command and the prompt.
    private static let screenLines = 22

    /// The names of all commands on one screen, a line for each heading. If there are too many, commands of
    /// several words are shown with their first word only.
    var names: String {
        let full = nameLines { Self.names(of: $0) }
        let isTooLong = full.count > Self.screenLines
        return (isTooLong ? nameLines { Self.firstWords(of: $0) } : full).joined(separator: "\n")
    }

    private func nameLines(_ names: ([CommandSpec]) -> [String]) -> [String] {
        let widest = groups.map(\.count).max() ?? 0
        let lines = groups.flatMap { group in
            let parts = names(table.commands.filter { $0.group == group })
            return Self.filled(parts, after: Self.padded(group, to: widest + 2))
        }
        return lines + [
            "",
            "help COMMAND or its first word shows more, help HEADING or help \(Self.allCommands) summarises.",
            "All commands take --json. Tab completes, Ctrl-C stops a command, Ctrl-D leaves.",
        ]
    }

    /// All commands with their summaries, grouped by their headings.
    var overview: String {
        (groups.map(section)
            + [
                "help COMMAND shows more, with examples. Every command takes --json.\n"
                    + "Tab completes, Ctrl-C stops a command, Ctrl-D leaves."
            ]).joined(separator: "\n\n")
    }

    private var groups: [String] {
        var groups: [String] = []
        for spec in table.commands where !groups.contains(spec.group) { groups.append(spec.group) }
        return groups
    }

    /// The commands below a heading with their summaries.
    private func section(_ group: String) -> String {
        let widest = table.commands.map(\.name.count).max() ?? 0
        let lines = table.commands.filter { $0.group == group }.map {
            "  " + Self.padded($0.name, to: widest + 2) + $0.summary
        }
        return ([group] + lines).joined(separator: "\n")
    }

    /// The names of commands, where those with the same first word are one part: `task add|show`.
    private static func names(of commands: [CommandSpec]) -> [String] {
        var parts: [(first: String, verbs: [String])] = []
        for spec in commands {
            let verb = spec.path.dropFirst().joined(separator: " ")
            if verb.isEmpty {
                parts.append((spec.name, []))
            } else if let index = parts.firstIndex(where: { $0.first == spec.path[0] && !$0.verbs.isEmpty }) {
                parts[index].verbs.append(verb)
            } else {
                parts.append((spec.path[0], [verb]))
            }
        }
        return parts.map { $0.verbs.isEmpty ? $0.first : "\($0.first) \($0.verbs.joined(separator: "|"))" }
    }

    /// The first words of commands, with an ellipsis where other words follow: `task …`.
    private static func firstWords(of commands: [CommandSpec]) -> [String] {
        var firsts: [String] = []
        for spec in commands where !firsts.contains(spec.path[0]) { firsts.append(spec.path[0]) }
        return firsts.map { first in
            commands.contains { $0.path[0] == first && $0.path.count > 1 } ? "\(first) …" : first
        }
    }

    /// The parts after a heading, in lines that fit a narrow terminal. Lines are broken between parts.
    private static func filled(_ parts: [String], after heading: String) -> [String] {
        var lines = [heading]
        for (index, part) in parts.enumerated() {
            let text = index == parts.count - 1 ? part : part + ","
            let separator = lines[lines.count - 1].count == heading.count ? "" : " "
            let longer = lines[lines.count - 1] + separator + text
            let isFirst = separator.isEmpty
            if isFirst || longer.count <= 78 {
                lines[lines.count - 1] = longer
            } else {
                lines.append(padded("", to: heading.count) + text)
            }
        }
        return lines
    }

    /// The help for a topic.
    ///
    /// - Throws: `ShellError` with the nearest commands if the topic does not exist.
    func text(topic: [String]) throws -> String {
        guard !topic.isEmpty else { return names }
        if topic == [Self.allCommands] { return overview }
        let found = table.commands(topic: topic)
        if found.isEmpty {
            let heading = topic.joined(separator: " ").lowercased()
            if let group = groups.first(where: { $0.lowercased() == heading }) { return section(group) }
            let words = topic.map { Word($0) }
            do {
                _ = try table.command(for: words)
            } catch var shellError as ShellError {
                shellError.span = nil
                throw shellError
            }
        }
        return found.map(details).joined(separator: "\n\n")
    }

    private func details(_ spec: CommandSpec) -> String {
        var lines = Self.wrapped(spec) + ["  " + spec.summary]
        let widest = spec.flags.map(\.usage.count).max() ?? 0
        if !spec.flags.isEmpty { lines.append("") }
        lines += spec.flags.map { "  " + Self.padded($0.usage, to: widest + 2) + $0.summary }
        if !spec.details.isEmpty {
            lines.append("")
            lines += spec.details.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "  " + $0
            }
        }
        if spec.needsAccount { lines += ["", "  This command needs an account: sign in first."] }
        if !spec.aliases.isEmpty { lines += ["", "  also: " + spec.aliases.joined(separator: "  ")] }
        lines += ["", "  for example:"] + spec.examples.map { "    " + $0 }
        return lines.joined(separator: "\n")
    }

    /// The usage line, broken between its parts to fit a narrow terminal.
    private static func wrapped(_ spec: CommandSpec) -> [String] {
        var lines = [spec.name]
        for part in spec.parts {
            let longer = lines[lines.count - 1] + " " + part
            if longer.count <= 78 { lines[lines.count - 1] = longer } else { lines.append("    " + part) }
        }
        return lines
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
