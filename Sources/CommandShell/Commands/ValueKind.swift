/// The kind of value of an argument or flag. It determines what Tab completes.
///
/// Every shell has the kinds below. A program adds its own kinds, whose values it looks up when Tab is
/// pressed (`ShellProgram.candidates(for:beginningWith:after:)`):
///
/// ```swift
/// extension ValueKind {
///     static let task = ValueKind("task")
/// }
/// ```
public struct ValueKind: Hashable, Sendable {
    /// The source of the candidates.
    enum Source: Hashable, Sendable {
        case nothing
        case words([Candidate])
        case program
        case files
        case commands
        case claims
    }

    /// The name of the kind, for example `task`.
    public let name: String
    let source: Source

    /// The words to choose from; empty for a kind without fixed words.
    var words: [String] {
        if case .words(let candidates) = source { candidates.map(\.text) } else { [] }
    }

    private init(_ name: String, _ source: Source) {
        self.name = name
        self.source = source
    }

    /// Creates a kind whose values the program looks up.
    public init(_ name: String) { self.init(name, .program) }

    /// Any text.
    public static let text = ValueKind("text", .nothing)
    /// A number.
    public static let number = ValueKind("number", .nothing)
    /// A distance, for example 500m or 5km.
    public static let distance = ValueKind("distance", .nothing)
    /// A latitude and a longitude in degrees.
    public static let place = ValueKind("place", .nothing)
    /// A time, for example 2026-07-04T18:00, tomorrow or +2d.
    public static let moment = ValueKind(
        "moment", .words(["now", "today", "tomorrow"].map { Candidate($0) }))
    /// A file or a folder.
    public static let file = ValueKind("file", .files)
    /// A command of the shell.
    public static let command = ValueKind("command", .commands)
    /// The name of a favourite.
    public static let favourite = ValueKind("favourite", .program)
    /// A claim of `expect`.
    public static let expectation = ValueKind("expectation", .claims)
    /// No value: the kind of a flag without a value.
    public static let nothing = ValueKind("nothing", .nothing)

    /// One of several words.
    public static func choice(_ words: [String]) -> ValueKind { described(words.map { Candidate($0) }) }

    /// One of several words, each with a short description.
    public static func described(_ candidates: [Candidate]) -> ValueKind {
        ValueKind("choice", .words(candidates))
    }
}
