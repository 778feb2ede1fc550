// Owns the description of one command, from which parsing, help and completion are all derived.
import Foundation

/// One command of the shell: its words, what it takes, what it says about itself, and how it becomes a value.
struct CommandSpec: Sendable {
    /// The words that name the command, for example `party create`.
    let path: [String]
    /// Other spellings of the whole name.
    var aliases: [String] = []
    /// The heading that help lists the command under.
    let group: String
    let summary: String
    var arguments: [ArgumentSpec] = []
    var flags: [FlagSpec] = []
    /// What help says beyond the summary.
    var details: String = ""
    var examples: [String] = []
    let build: @Sendable (ParsedArguments) throws -> Command

    /// The name as it is typed.
    var name: String { path.joined(separator: " ") }

    /// The whole shape of the command in one line.
    var usage: String { ([name] + parts).joined(separator: " ") }

    /// The arguments and flags as the usage line shows them.
    var parts: [String] { arguments.map(\.usage) + flags.map { "[\($0.usage)]" } }

    /// The flag of that name without dashes.
    func flag(_ name: String) -> FlagSpec? {
        flags.first { $0.name == name }
    }

    /// The argument that takes the word at `index` among the words that are not flags.
    func argument(at index: Int) -> ArgumentSpec? {
        if index < arguments.count { return arguments[index] }
        guard let last = arguments.last else { return nil }
        switch last.arity {
        case .many, .any, .rest: return last
        case .one, .optional: return nil
        }
    }

    /// How many arguments must be there.
    var requiredCount: Int {
        arguments.filter { $0.arity == .one || $0.arity == .many }.count
    }
}
