/// What is expected in a place of a command line: it decides what Tab offers there.
///
/// The kinds below are known to every shell. A program adds kinds of its own, whose values it looks up when
/// Tab is pressed (`ShellProgram.candidates(for:beginningWith:behind:)`):
///
/// ```swift
/// extension ValueKind {
///     static let task = ValueKind("task")
/// }
/// ```
public struct ValueKind: Hashable, Sendable {
    /// Where candidates come from.
    enum Source: Hashable, Sendable {
        case nothing
        case words([Candidate])
        case program
        case files
        case commands
        case claims
    }

    /// What the kind is called, `task` for example.
    public let name: String
    let source: Source

    private init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    /// A kind whose values the program looks up.
    public init(_ name: String) { self.init(name, .program) }

    /// Any text.
    public static let text = ValueKind("text", .nothing)
    /// A number.
    public static let number = ValueKind("number", .nothing)
    /// A distance such as 500m or 5km.
    public static let distance = ValueKind("distance", .nothing)
    /// A latitude and a longitude.
    public static let place = ValueKind("place", .nothing)
    /// A moment such as 2026-07-04T18:00, tomorrow or +2d.
    public static let moment = ValueKind(
        "moment", .words(["now", "today", "tomorrow"].map { Candidate($0) }))
    /// A file or a folder.
    public static let file = ValueKind("file", .files)
    /// A command of the shell.
    public static let command = ValueKind("command", .commands)
    /// A command that somebody keeps under a name.
    public static let favourite = ValueKind("favourite", .program)
    /// A claim of `expect`.
    public static let expectation = ValueKind("expectation", .claims)
    /// The value of a flag that stands alone.
    public static let nothing = ValueKind("nothing", .nothing)

    /// One of some words.
    public static func choice(_ words: [String]) -> ValueKind { described(words.map { Candidate($0) }) }

    /// One of some words, with a few others about each.
    public static func described(_ candidates: [Candidate]) -> ValueKind {
        ValueKind("choice", .words(candidates))
    }
}
