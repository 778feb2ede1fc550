import Foundation

/// The help texts for all commands, for a group and for one command.
struct HelpText {
    let table: CommandTable

    /// All commands, grouped by their headings.
    var overview: String {
        let widest = table.commands.map(\.name.count).max() ?? 0
        var lines: [String] = []
        var groups: [String] = []
        for spec in table.commands where !groups.contains(spec.group) { groups.append(spec.group) }
        for group in groups {
            if !lines.isEmpty { lines.append("") }
            lines.append(group)
            for spec in table.commands where spec.group == group {
                lines.append("  " + Self.padded(spec.name, to: widest + 2) + spec.summary)
            }
        }
        lines.append("")
        lines.append("help COMMAND tells more, with examples. Every command takes --json.")
        lines.append("Tab completes, Ctrl-C stops a command, Ctrl-D leaves.")
        return lines.joined(separator: "\n")
    }

    /// The help for a topic.
    ///
    /// - Throws: `ShellError` with the nearest commands if the topic does not exist.
    func text(topic: [String]) throws -> String {
        guard !topic.isEmpty else { return overview }
        let found = table.commands(topic: topic)
        if found.isEmpty {
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
        if spec.needsAccount { lines += ["", "  It needs an account: sign in first."] }
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
