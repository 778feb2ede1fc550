public import Foundation

/// How a shell starts.
public struct ShellOptions: Sendable {
    /// Where commands come from.
    public enum Input: Sendable {
        /// The keyboard when there is a terminal, else standard input as a script.
        case standardInput
        /// These commands.
        case commands([String])
        /// The script in this file.
        case file(URL)
    }

    /// Which commands are done before all others.
    public enum StartUp: Sendable {
        /// Those of the usual file, at a terminal.
        case usual
        /// Those of this file, whoever gives the commands that follow.
        case file(URL)
        /// None.
        case none
    }

    /// The words that `mode` may be.
    public static let modes = OutputMode.allCases.map(\.rawValue)

    /// Where commands come from.
    public var input: Input = .standardInput
    /// Which commands are done before all others.
    public var startUp: StartUp = .usual
    /// Makes identifiers repeatable.
    public var seed: UInt64?
    /// The moment that relative times count from, as it would be typed; the machine's time if nothing.
    public var now: String?
    /// Whether a script goes on after a failure.
    public var keepsGoing: Bool = false
    /// Whether every command prints one JSON document.
    public var isJSON: Bool = false
    /// Whether to colour: `auto`, `always` or `never`.
    public var color: String = "auto"
    /// How answers look: a mode such as `table` or `csv`.
    public var mode: String?
    /// Whether commands are only read, and nothing is done.
    public var isRehearsal: Bool = false
    /// Whether to do what is otherwise asked about.
    public var isSure: Bool = false
    /// Whether never to ask.
    public var asksNothing: Bool = false
    /// Whether to leave out what is said about answers.
    public var isQuiet: Bool = false
    /// Whether to show what the program sends.
    public var isVerbose: Bool = false
    /// Seconds after which a command is given up; never if nothing.
    public var timeout: Double?
    /// The settings as `config list` shows them.
    public var settings: [Settings.Row] = []

    /// The options of a shell that was started without any.
    public init() {}
}
