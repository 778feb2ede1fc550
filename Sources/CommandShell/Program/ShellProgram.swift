public import Foundation

/// A program whose commands can be typed, run as a script, and completed.
///
/// A program describes its commands; the shell does the rest: line editing, history, Tab, help, scripts,
/// pipes, variables, favourites, JSON, CSV, claims and exit codes. This is a whole one:
///
/// ```swift
/// actor TaskList {
///     private(set) var titles: [String] = []
///     func add(_ title: String) { titles.append(title) }
/// }
///
/// struct TaskProgram: ShellProgram {
///     let names = ProgramNames("tasks", title: "Tasks")
///     let list = TaskList()
///
///     var commands: [CommandSpec] {
///         [
///             CommandSpec(
///                 ["task", "add"], group: "Tasks", summary: "write a task down",
///                 arguments: [ArgumentSpec("TITLE", .text)], examples: ["task add 'Buy paint'"]
///             ) { arguments in
///                 let title = try arguments.name("TITLE")
///                 return .work {
///                     await list.add(title)
///                     return .talk("added \(title)")
///                 }
///             },
///             CommandSpec(
///                 ["task", "show"], group: "Tasks", summary: "show the tasks that begin so",
///                 arguments: [ArgumentSpec("TITLE", ValueKind("task"), .optional)],
///                 examples: ["task show Buy"]
///             ) { arguments in
///                 let title = arguments.word("TITLE")?.text ?? ""
///                 return .work {
///                     let found = await list.titles.filter { $0.hasPrefix(title) }
///                     return Answer(
///                         form: .list, entries: found.map { Entry([Field("title", .text($0))]) },
///                         columns: [Column("TITLE", "title")],
///                         whenEmpty: "no tasks yet; try: task add TITLE")
///                 }
///             },
///         ]
///     }
///
///     func candidates(for kind: ValueKind, beginningWith: String, behind: [String]) async -> [Candidate] {
///         kind.name == "task" ? await list.titles.map { Candidate($0) } : []
///     }
/// }
///
/// let shell = Shell(ProgramNames("tasks", title: "Tasks"), machine: machine)
/// let code = await shell.run(ShellOptions()) { _ in RunningProgram(TaskProgram()) }
/// ```
public protocol ShellProgram: Sendable {
    /// What the program is called.
    var names: ProgramNames { get }
    /// Its own commands, in the order that help shows them.
    var commands: [CommandSpec] { get }
    /// First words that are commands of the program, but not of its shell.
    var elsewhere: [CommandElsewhere] { get }
    /// What `version` shows.
    var version: [Field] { get }
    /// What is said at a terminal before the first prompt.
    var greeting: String { get }
    /// What stands before the line, a blank at its end included.
    var prompt: String { get async }
    /// Where commands go, in words: each place has a history of its own.
    var historyPlace: String { get async }
    /// What `timing` measures beside the time; nil: the time alone.
    var meter: ProgramMeter? { get }

    /// The values of a kind of the program's own that begin with what is typed, or of all kinds where that
    /// costs nothing. The shell picks those that fit; a look-up that takes too long is cancelled.
    ///
    /// - Parameter words: The words before it that are values of the same command.
    func candidates(
        for kind: ValueKind, beginningWith typed: String, behind words: [String]
    ) async -> [Candidate]

    /// How an error is told. The default tells it as `Complaint.init(_:)` does.
    func complaint(about error: any Error) async -> Complaint

    /// Hears what every command came to, claims aside.
    func noted(_ result: LastResult) async

    /// Goes to a place for one command, `alice@phone: COMMAND`, and answers the way back; nil for a program
    /// that has no such places. Throws when one cannot go there.
    func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)?

    /// Lives as long as the shell does, for work that goes on by itself; it is cancelled at the end.
    func live() async

    /// Parts from whatever is connected, when somebody leaves the prompt.
    func leave() async
}

/// A place that stands before a command: somebody at something, as in `alice@phone: COMMAND`.
public struct ShellAddress: Hashable, Sendable {
    /// What stands before the @.
    public let person: String
    /// What stands behind it.
    public let device: String
}

/// What a program has done so far, beside taking time.
public struct ProgramMeter: Equatable, Sendable {
    /// How many requests it has sent.
    public var requests: Int
    /// How long others worked on them, in microseconds.
    public var serverMicroseconds: Int
    /// The clock that commands go by, which waiting may move on at once.
    public var clock: Date

    /// A reading.
    public init(requests: Int, serverMicroseconds: Int, clock: Date) {
        self.requests = requests
        self.serverMicroseconds = serverMicroseconds
        self.clock = clock
    }
}

extension ShellProgram {
    /// No such words.
    public var elsewhere: [CommandElsewhere] { [] }

    /// The program's name and the line editor.
    public var version: [Field] {
        [Field("program", .text(names.name)), Field("editor", .text(Shell.editorVersion))]
    }

    /// The title, and how to get help and to leave.
    public var greeting: String { "\(names.title). `help` shows the commands, Ctrl-D leaves." }

    /// The program's name.
    public var prompt: String { "\(names.name)> " }

    /// One place for all lines.
    public var historyPlace: String { names.name }

    /// Time alone.
    public var meter: ProgramMeter? { nil }

    /// No candidates.
    public func candidates(
        for kind: ValueKind, beginningWith typed: String, behind words: [String]
    ) async -> [Candidate] { [] }

    /// The complaint that stands for the error.
    public func complaint(about error: any Error) async -> Complaint { Complaint(error) }

    /// Keeps nothing.
    public func noted(_ result: LastResult) async {}

    /// Has no such places.
    public func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)? { nil }

    /// Does nothing by itself.
    public func live() async {}

    /// Has nothing to part from.
    public func leave() async {}
}
