/// The names of a program with a shell.
public struct ProgramNames: Sendable {
    /// The name of its files and folders, for example `task-book`.
    public let name: String
    /// The name that messages show, for example `Task Book`.
    public let title: String
    /// The command that starts the shell, for example `cloudlet shell`.
    public let invocation: String
    /// The extension of its scripts, without the dot.
    public let scriptExtension: String

    /// Creates the names of a program.
    public init(_ name: String, title: String, invocation: String? = nil, scriptExtension: String = "txt") {
        self.name = name
        self.title = title
        self.invocation = invocation ?? name
        self.scriptExtension = scriptExtension
    }

    /// The environment variable with the program's prefix: for `PAGER`, `TASK_BOOK_PAGER`.
    public func variable(_ suffix: String) -> String {
        name.uppercased().replacing("-", with: "_") + "_" + suffix
    }

    /// The environment variable that names another start-up file.
    public var startUpVariable: String { variable("STARTUP") }

    /// The name of the default start-up file, in the user's settings folder of the program.
    public var startUpFile: String { "startup." + scriptExtension }
}

/// A program whose names are known before it runs, for its command-line options.
public protocol NamedProgram: SendableMetatype {
    /// The names of the program.
    static var names: ProgramNames { get }
    /// The names of the shell's commands, to complete `-c`.
    static var commandNames: [String] { get }
}
