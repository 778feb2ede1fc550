/// One command of a shell: its words, what it takes, what help says about it, and what it does.
///
/// ```swift
/// CommandSpec(
///     ["task", "add"], group: "Tasks", summary: "write a task down",
///     arguments: [ArgumentSpec("TITLE", .text)], examples: ["task add 'Buy paint'"]
/// ) { arguments in
///     let title = try arguments.name("TITLE")
///     return .work { try await tasks.add(title) }
/// }
/// ```
///
/// Parsing, help, completion and the manual are all made of this value. Arguments become typed values in the
/// closure, and the work is done in the action that it returns: so a rehearsal checks arguments, too.
public struct CommandSpec: Sendable {
    /// The words that name the command, for example `task add`.
    public let path: [String]
    /// Other spellings of the whole name.
    public let aliases: [String]
    /// The heading that help lists the command under.
    public let group: String
    /// What the command does, in a line.
    public let summary: String
    /// The values that it takes by their position.
    public let arguments: [ArgumentSpec]
    /// The flags that it takes.
    public let flags: [FlagSpec]
    /// What help says beyond the summary.
    public let details: String
    /// Lines that help shows; each of them parses.
    public let examples: [String]
    /// Whether a rehearsal (`--dry-run`) does it: it changes nothing outside of the shell.
    public let isHarmless: Bool
    /// Reads the arguments, and answers what to do. Throws a complaint about an argument that makes no sense.
    public let action: @Sendable (ParsedArguments) throws -> CommandAction

    /// Describes a command.
    public init(
        _ path: [String],
        aliases: [String] = [],
        group: String,
        summary: String,
        arguments: [ArgumentSpec] = [],
        flags: [FlagSpec] = [],
        details: String = "",
        examples: [String] = [],
        isHarmless: Bool = false,
        action: @escaping @Sendable (ParsedArguments) throws -> CommandAction
    ) {
        self.path = path
        self.aliases = aliases
        self.group = group
        self.summary = summary
        self.arguments = arguments
        self.flags = flags
        self.details = details
        self.examples = examples
        self.isHarmless = isHarmless
        self.action = action
    }

    /// The name as it is typed.
    public var name: String { path.joined(separator: " ") }

    /// The whole shape of the command in one line.
    public var usage: String { ([name] + parts).joined(separator: " ") }

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
