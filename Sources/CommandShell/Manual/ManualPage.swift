import Foundation

/// A manual page in the format of `man`.
public struct ManualPage {
    /// A section in addition to those from the help dump.
    public struct Section {
        let title: String
        let entries: [(name: String, text: String)]

        /// Creates a section of named entries.
        public init(_ title: String, _ entries: [(name: String, text: String)]) {
            self.title = title
            self.entries = entries
        }
    }

    private let program: DescribedProgram
    private let version: String
    private let sections: [Section]

    /// Creates the manual page of a program.
    ///
    /// - Parameters:
    ///   - table: The return value of the root command's `_dumpHelp()`.
    ///   - version: The version of the program.
    ///   - sections: The sections after the commands.
    /// - Throws: `DecodingError` if `table` is no help dump.
    public init(table: String, version: String, sections: [Section]) throws {
        program = try DescribedProgram(table)
        self.version = version
        self.sections = sections
    }

    /// The page as roff text.
    public var text: String {
        let root = program.command
        let name = root.commandName
        var lines = [
            ".TH \(Roff.escaped(name.uppercased())) 1 \"\" \"\(Roff.escaped(version))\" \"Cloudlet\"",
            ".SH NAME", "\(Roff.escaped(name)) \\- \(Roff.escaped(root.abstract ?? ""))", ".SH SYNOPSIS",
        ]
        lines += Roff.literal(root.usage ?? "\(name) [OPTIONS] [COMMAND]")
        lines += [".SH DESCRIPTION"] + Roff.prose(root.discussion ?? "")
        lines += [".SH OPTIONS"] + options(root)
        let children = root.children.flatMap { part($0, after: name) }
        if !children.isEmpty { lines += [".SH COMMANDS"] + children }
        for section in sections {
            lines.append(".SH \(Roff.escaped(section.title.uppercased()))")
            for (name, text) in section.entries { lines += [".TP", Roff.bold(name)] + Roff.prose(text) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The lines for a command and its subcommands.
    private func part(_ command: DescribedProgram.Command, after path: String) -> [String] {
        let name = "\(path) \(command.commandName)"
        let words = command.shown.filter { $0.kind == "positional" }.map(Self.usage)
        var lines = [".SS \(Roff.escaped(([name] + words).joined(separator: " ")))"]
        lines += Roff.prose(
            [command.abstract, command.discussion].compactMap { $0 }.joined(separator: "\n\n"))
        if let usage = command.usage { lines += [".PP"] + Roff.literal(usage) }
        return lines + options(command) + command.children.flatMap { part($0, after: name) }
    }

    private func options(_ command: DescribedProgram.Command) -> [String] {
        command.shown.flatMap { argument in
            var text = [argument.abstract, argument.discussion].compactMap { $0 }.joined(separator: " ")
            if let values = argument.allValues, !values.isEmpty, argument.kind == "option" {
                text += " (\(values.joined(separator: ", ")))"
            }
            return [".TP", Roff.bold(Self.usage(argument))] + Roff.prose(text)
        }
    }

    private static func usage(_ argument: DescribedProgram.Argument) -> String {
        let value = "<\(argument.valueName ?? "value")>"
        let dots = argument.isRepeating ? "…" : ""
        switch argument.kind {
        case "positional": return (argument.isOptional ? "[\(value)]" : value) + dots
        case "option": return argument.spellings.joined(separator: ", ") + " \(value)\(dots)"
        default: return argument.spellings.joined(separator: ", ")
        }
    }
}
