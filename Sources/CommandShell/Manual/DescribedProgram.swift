import Foundation

/// A program, from the table that its help is made of.
struct DescribedProgram: Decodable {
    /// A command with its flags, options and arguments, and the commands below it.
    struct Command: Decodable {
        let commandName: String
        let abstract: String?
        let discussion: String?
        let usage: String?
        let subcommands: [Command]?
        let arguments: [Argument]?

        /// What is shown, without the help that every command has.
        var shown: [Argument] {
            (arguments ?? []).filter { $0.shouldDisplay && !$0.spellings.contains("--help") }
        }

        /// The commands below it, without the one that shows help.
        var children: [Command] { (subcommands ?? []).filter { $0.commandName != "help" } }
    }

    /// A flag, an option or an argument.
    struct Argument: Decodable {
        /// One of its spellings.
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

        /// Its spellings with their dashes.
        var spellings: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }
    }

    let command: Command

    /// Reads the table; throws when it is none.
    init(_ table: String) throws {
        self = try JSONDecoder().decode(Self.self, from: Data(table.utf8))
    }
}
