public import Foundation

/// The options of a shell.
public struct ShellOptions: Sendable {
    /// The source of the statements to run.
    public enum Input: Sendable {
        /// The keyboard if standard input is a terminal; otherwise standard input as a script.
        case standardInput
        /// These commands.
        case commands([String])
        /// The script in this file.
        case file(URL)
    }

    /// The start-up commands, which run before all others.
    public enum StartUp: Sendable {
        /// The default start-up file, at a terminal only.
        case `default`
        /// This file, for scripts too.
        case file(URL)
        /// No start-up file.
        case none
    }

    /// The names of the output modes.
    public static let modes = OutputMode.allCases.map(\.rawValue)

    /// The source of the statements to run.
    public var input: Input = .standardInput
    /// The start-up commands, which run before all others.
    public var startUp: StartUp = .default
    /// The seed of generated identifiers; nil uses a random one.
    public var seed: UInt64?
    /// The time that relative times count from, in the form that is typed at the prompt; nil uses the
    /// machine's clock.
    public var now: String?
    /// Whether a script continues after a failure.
    public var keepsGoing: Bool = false
    /// Whether each command prints one JSON document.
    public var isJSON: Bool = false
    /// When to use colours: `auto`, `always` or `never`.
    public var color: String = "auto"
    /// The output mode for answers, for example `table` or `csv`; nil uses the default.
    public var mode: String?
    /// Whether to parse the commands without running them.
    public var isDryRun: Bool = false
    /// Whether to answer all confirmations with yes.
    public var isSure: Bool = false
    /// Whether never to ask.
    public var asksNothing: Bool = false
    /// Whether to leave out notes on standard error.
    public var isQuiet: Bool = false
    /// Whether to print the program's requests.
    public var isVerbose: Bool = false
    /// The maximum duration of a command in seconds; nil means no limit.
    public var timeout: Double?
    /// The settings for `config list`.
    public var settings: [Settings.Row] = []

    /// Creates the default options.
    public init() {}
}
