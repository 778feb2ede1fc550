/// What a program with a shell is called, in all the places where a name is needed.
public struct ProgramNames: Sendable {
    /// The name of its files and folders, `task-book` for example.
    public let name: String
    /// The name as people read it.
    public let title: String
    /// What is typed to start the shell, `cloudlet shell` for example.
    public let invocation: String
    /// The ending of its scripts, without the dot.
    public let scriptEnding: String

    /// The names of a program.
    public init(_ name: String, title: String, invocation: String? = nil, scriptEnding: String = "txt") {
        self.name = name
        self.title = title
        self.invocation = invocation ?? name
        self.scriptEnding = scriptEnding
    }

    /// The variable of the environment that begins with the program's name: `TASK_BOOK_PAGER` for
    /// `PAGER`.
    public func variable(_ suffix: String) -> String {
        name.uppercased().replacing("-", with: "_") + "_" + suffix
    }

    /// The variable that names another start-up file than the usual one.
    public var startUpVariable: String { variable("STARTUP") }

    /// The name of the usual start-up file, in the program's folder of the user's settings.
    public var startUpFile: String { "startup." + scriptEnding }
}

/// A kind of program whose names are known before it runs, for the options of its command line.
public protocol NamedProgram: SendableMetatype {
    /// What it is called.
    static var names: ProgramNames { get }
    /// The names of its shell's commands, for completion of `-c`.
    static var commandNames: [String] { get }
}
