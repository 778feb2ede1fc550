public import Foundation

/// A program whose commands can be typed at a prompt, run as a script, and completed with Tab.
///
/// The program describes its commands. The shell provides line editing, history, completion, help, scripts,
/// pipes, variables, favourites, JSON, CSV, claims and exit codes. This is a complete program:
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
///                     return .message("added \(title)")
///                 }
///             },
///             CommandSpec(
///                 ["task", "show"], group: "Tasks", summary: "show the tasks that begin with TITLE",
///                 arguments: [ArgumentSpec("TITLE", ValueKind("task"), .optional)],
///                 examples: ["task show Buy"]
///             ) { arguments in
///                 let title = arguments.word("TITLE")?.text ?? ""
///                 return .work {
///                     let found = await list.titles.filter { $0.hasPrefix(title) }
///                     return Answer(
///                         form: .list, entries: found.map { Entry([AnswerField("title", .text($0))]) },
///                         columns: [Column("TITLE", "title")],
///                         whenEmpty: "no tasks yet; try: task add TITLE")
///                 }
///             },
///         ]
///     }
///
///     func candidates(for kind: ValueKind, beginningWith: String, after: [String]) async -> [Candidate] {
///         kind.name == "task" ? await list.titles.map { Candidate($0) } : []
///     }
/// }
///
/// let shell = Shell(ProgramNames("tasks", title: "Tasks"), machine: machine)
/// let code = await shell.run(ShellOptions()) { _ in RunningProgram(TaskProgram()) }
/// ```
public protocol ShellProgram: Sendable {
    /// The names of the program.
    var names: ProgramNames { get }
    /// The program's own commands, in the order of the help.
    var commands: [CommandSpec] { get }
    /// First words that are subcommands of the program and not commands of its shell, with their errors.
    var explainedWords: [ExplainedWord] { get }
    /// The fields that `version` shows.
    var version: [AnswerField] { get }
    /// The text before the first prompt of a terminal.
    var greeting: String { get }
    /// The prompt, including a space at its end.
    var prompt: String { get async }
    /// The place that commands currently work on, as text. Each place has its own history.
    var historyPlace: String { get async }
    /// The values that `timing` shows in addition to the time; nil shows the time only.
    var meter: ProgramMeter? { get }

    /// The possible values of one of the program's own kinds: only those with the prefix `typed`, or all if
    /// that is as fast. The shell filters them, and cancels a lookup that takes too long when the next
    /// begins.
    ///
    /// - Parameter words: The values before it in the same command.
    func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate]

    /// Converts an error. The default implementation is `ShellError.init(_:)`.
    func shellError(about error: any Error) async -> ShellError

    /// The error for a command that is disabled at present; nil for an enabled one.
    func whyDisabled(_ command: CommandSpec) async -> ShellError?

    /// Called before each command that does work of the program. It must not take long.
    func prepare() async

    /// Called with each result that the next claim refers to. A claim that holds or fails is no such result.
    func handle(_ result: LastResult) async

    /// Switches to the address of one command, as in `alice@phone: COMMAND`, and returns a closure that
    /// switches back; nil for a program without addresses. It throws if the address does not exist.
    func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)?

    /// Runs in the background while the shell runs, and is cancelled at its end.
    func runInBackground() async

    /// Disconnects from servers. Called when a person leaves the prompt, with `quit` or Ctrl-D; scripts end
    /// without this call.
    func disconnect() async
}

/// An address in front of a command, as in `alice@phone: COMMAND`.
public struct ShellAddress: Hashable, Sendable {
    /// The part in front of the @.
    public let person: String
    /// The part after the @.
    public let device: String
}

/// The work of a program so far, for `timing`.
public struct ProgramMeter: Equatable, Sendable {
    /// The number of requests sent.
    public var requests: Int
    /// The time that servers spent on them, in microseconds.
    public var serverMicroseconds: Int
    /// The clock of the commands. Waiting may advance it without real time passing.
    public var clock: Date

    /// Creates a reading.
    public init(requests: Int, serverMicroseconds: Int, clock: Date) {
        self.requests = requests
        self.serverMicroseconds = serverMicroseconds
        self.clock = clock
    }
}

extension ShellProgram {
    /// No words.
    public var explainedWords: [ExplainedWord] { [] }

    /// The program's name and its line editor.
    public var version: [AnswerField] {
        [AnswerField("program", .text(names.name)), AnswerField("editor", .text(Shell.editorVersion))]
    }

    /// The title, and how to get help and how to leave.
    public var greeting: String { "\(names.title). `help` shows the commands, Ctrl-D leaves." }

    /// The program's name.
    public var prompt: String { "\(names.name)> " }

    /// One place, so that all lines share one history.
    public var historyPlace: String { names.name }

    /// Nil: `timing` shows the time only.
    public var meter: ProgramMeter? { nil }

    /// No candidates.
    public func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate] { [] }

    /// Converts the error by `ShellError.init(_:)`.
    public func shellError(about error: any Error) async -> ShellError { ShellError(error) }

    /// Nil: all commands are enabled.
    public func whyDisabled(_ command: CommandSpec) async -> ShellError? { nil }

    /// Does nothing.
    public func prepare() async {}

    /// Does nothing.
    public func handle(_ result: LastResult) async {}

    /// Nil: the program has no addresses.
    public func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)? { nil }

    /// Does nothing.
    public func runInBackground() async {}

    /// Does nothing.
    public func disconnect() async {}
}
