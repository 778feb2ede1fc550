import Foundation

/// A program as described by the help dump of ArgumentParser.
struct DescribedProgram: Decodable {
    /// A command with its flags, options, arguments and subcommands.
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let usage: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// The arguments to show, without `--help`, which every command has.
        var shown: [Argument] {
            (arguments ?? []).filter { $0.shouldDisplay && !$0.spellings.contains("--help") }
        }

        /// The subcommands, without `help`.
        var children: [Command] { (subcommands ?? []).filter { $0.commandName != "help" } }
    }

    /// A flag, an option or an argument.
    struct Argument: Decodable {
        /// A name of a flag or option.
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        let kind: String
        let shouldDisplay: Bool
        let isOptional: Bool
        let isRepeating: Bool
        let names: [Name]?
        let valueName: String?
        let abstract: String?
        let discussion: String?
        let allValues: [String]?

        /// The names with their dashes.
        var spellings: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }
    }

    let command: Command

    /// Decodes a help dump.
    ///
    /// - Throws: `DecodingError` if the text is no help dump.
    init(_ table: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(table.utf8))
    }
}
