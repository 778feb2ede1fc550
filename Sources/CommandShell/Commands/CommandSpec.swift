/// A command of a shell: its name, arguments, help text and action.
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
/// Parsing, help, completion and the manual page all use this value. The closure converts the arguments to
/// typed values, and the action that it returns does the work. Therefore a dry run checks the arguments too.
public struct CommandSpec: Sendable {
    /// The words that name the command, for example `task add`.
    public let path: [String]
    /// Other names of the command, each a single word.
    public let aliases: [String]
    /// The heading in the help under which the command is listed.
    public let group: String
    /// What the command does, in one line.
    public let summary: String
    /// The positional arguments.
    public let arguments: [ArgumentSpec]
    /// The flags.
    public let flags: [FlagSpec]
    /// Further help text after the summary.
    public let details: String
    /// Example lines for the help; each of them must parse.
    public let examples: [String]
    /// Whether a dry run (`--dry-run`) executes the command, because it changes nothing outside the shell.
    public let isHarmless: Bool
    /// Whether the command needs a signed-in person. A program can disable such commands while nobody is
    /// signed in, see `ShellProgram.whyDisabled(_:)`.
    public private(set) var needsAccount = false
    /// Reads the arguments and returns the action to run.
    ///
    /// - Throws: `ShellError` if an argument is invalid.
    public let action: @Sendable (ParsedArguments) throws -> CommandAction

    /// Creates a command.
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

    /// The same command, marked as one that needs a signed-in person.
    public func needingAccount() -> CommandSpec {
        var spec = self
        spec.needsAccount = true
        return spec
    }

    /// The name as it is typed at the prompt.
    public var name: String { path.joined(separator: " ") }

    /// The usage line: the name, arguments and flags.
    public var usage: String { ([name] + parts).joined(separator: " ") }

    /// The arguments and flags as in the usage line.
    var parts: [String] { arguments.map(\.usage) + flags.map(\.part) }

    /// The flag with this name, given without dashes.
    func flag(_ name: String) -> FlagSpec? {
        flags.first { $0.name == name }
    }

    /// The names of the fields that the command takes as `FIELD=VALUE`, if it has a fixed set of them.
    var fieldNames: [String] {
        guard let last = arguments.last else { return [] }
        return last.kind.words.filter { $0.hasSuffix("=") }.map { String($0.dropLast()) }
    }

    /// The argument for the positional word at `index`; nil if the command has fewer arguments.
    func argument(at index: Int) -> ArgumentSpec? {
        if index < arguments.count { return arguments[index] }
        guard let last = arguments.last else { return nil }
        switch last.arity {
        case .many, .any, .rest: return last
        case .one, .optional: return nil
        }
    }

    /// The minimum number of positional arguments.
    var requiredCount: Int {
        arguments.filter { $0.arity == .one || $0.arity == .many }.count
    }
}

extension [CommandSpec] {
    /// The same commands, all marked as commands that need a signed-in person.
    public func needingAccount() -> [CommandSpec] { map { $0.needingAccount() } }
}
