public import ArgumentParser
import Foundation

extension ColorChoice: ExpressibleByArgument {}

/// `-c COMMAND` and `-f FILE`: the source of the statements to run.
public struct InputFlags<Program: NamedProgram>: ParsableArguments {
    /// The commands to run.
    @Option(
        name: [.customShort("c"), .long], parsing: .unconditionalSingleValue,
        help: "Run this command; may be repeated.",
        completion: .custom { _, _, prefix in Program.commandNames.filter { $0.hasPrefix(prefix) } })
    public var command: [String] = []

    /// The file with the commands to run.
    @Option(
        name: .shortAndLong, help: "Run the commands in this file; - is standard input.", completion: .file())
    public var file: String?

    /// Creates the flags with their defaults.
    public init() {}

    /// Checks that the flags do not exclude each other.
    ///
    /// - Throws: `ValidationError`.
    public func validate() throws {
        if !command.isEmpty, file != nil { throw ValidationError("give -c or -f, not both") }
    }

    /// The source of the statements to run.
    public var input: ShellOptions.Input {
        if !command.isEmpty { return .commands(command) }
        if let file, file != "-" { return .file(URL(fileURLWithPath: file)) }
        return .standardInput
    }
}

/// The flags that every program with a shell has.
public struct ShellFlags<Program: NamedProgram>: ParsableArguments {
    /// The path of the start-up file.
    @Option(
        help: """
            Run the commands in this file first. Default, at a terminal: \
            \(Program.names.startUpVariable), or \(Program.names.startUpFile) in \
            ~/.config/\(Program.names.name).
            """)
    public var startup: String?

    /// Whether to ignore the start-up file.
    @Flag(help: "Do not run the start-up file.")
    public var noStartup = false

    /// The seed of generated identifiers.
    @Option(help: "Create repeatable identifiers from this number.")
    public var seed: UInt64?

    /// The time that relative times count from.
    @Option(help: "Use this as the current time, for times such as +2d and tomorrow.")
    public var now: String?

    /// Whether a script continues after a failure.
    @Flag(help: "Continue after a failure.")
    public var keepGoing = false

    /// Whether each command prints one JSON document.
    @Flag(help: "Print one JSON document per command on standard output.")
    public var json = false

    /// When to use colours.
    @Option(help: "Colour: auto, always or never. Default: auto")
    public var color: ColorChoice?

    /// The output mode for answers.
    @Option(
        help: "The format of answers: table, line, json, jsonl, csv or markdown.",
        completion: .list(ShellOptions.modes))
    public var mode: String?

    /// Whether to parse the commands without running them.
    @Flag(help: "Parse the commands and print what they would do, without running them.")
    public var dryRun = false

    /// Whether to answer all confirmations with yes.
    @Flag(help: "Answer every confirmation with yes.")
    public var yes = false

    /// Whether never to ask.
    @Flag(help: "Never ask a question.")
    public var noInput = false

    /// Whether to leave out notes on standard error; errors are printed anyway.
    @Flag(help: "Print no notes about answers; errors are still printed.")
    public var quiet = false

    /// Whether to print every request on standard error.
    @Flag(help: "Show every request on standard error.")
    public var verbose = false

    /// The maximum duration of a command in seconds.
    @Option(help: "Cancel a command after this number of seconds.")
    public var timeout: Double?

    /// Creates the flags with their defaults.
    public init() {}

    /// Checks that the flags do not exclude each other and that their values are valid.
    ///
    /// - Throws: `ValidationError`.
    public func validate() throws {
        if startup != nil, noStartup { throw ValidationError("give --startup or --no-startup, not both") }
        if let mode, !ShellOptions.modes.contains(mode) {
            throw ValidationError("--mode is one of \(ShellOptions.modes.joined(separator: ", "))")
        }
        if let timeout, timeout <= 0 { throw ValidationError("--timeout takes a number above 0") }
    }

    // MARK: Settings

    /// The settings that can also be set by environment variables and configuration files.
    public static var keys: [ConfigurationKey] {
        func variable(_ name: String) -> ConfigurationKey.Variable {
            ConfigurationKey.Variable(Program.names.variable(name))
        }
        return [
            ConfigurationKey(
                "seed", .whole(0...UInt64.max), variables: [variable("SEED")], default: "random"),
            ConfigurationKey("now", .text, variables: [variable("NOW")], default: "the current time"),
            ConfigurationKey(
                "mode", .choice(ShellOptions.modes), variables: [variable("MODE")], default: "table"),
            ConfigurationKey(
                "color", .choice(ColorChoice.allCases.map(\.rawValue)),
                variables: [
                    variable("COLOR"), ConfigurationKey.Variable("NO_COLOR") { _ in "never" },
                    ConfigurationKey.Variable("CLICOLOR_FORCE") { $0 == "0" ? nil : "always" },
                ],
                default: "auto"),
            ConfigurationKey(
                "timeout", .number(0.001...1e9), variables: [variable("TIMEOUT")], default: "none"),
        ]
    }

    /// The settings that were given as flags, by name.
    public var given: [String: String] {
        [
            "seed": seed.map(String.init), "now": now, "mode": json ? "json" : mode,
            "color": color?.rawValue, "timeout": timeout.map { "\($0)" },
        ].compactMapValues(\.self)
    }

    /// The options of the shell with the effective settings.
    public func options(
        _ input: ShellOptions.Input, _ settings: Settings, _ machine: Machine
    ) -> ShellOptions {
        var options = ShellOptions()
        options.input = input
        options.seed = settings["seed"].flatMap(UInt64.init)
        options.now = settings["now"]
        if let startup { options.startUp = .file(URL(fileURLWithPath: startup)) }
        if noStartup { options.startUp = .none }
        options.keepsGoing = keepGoing
        options.isJSON = json
        if let color = settings["color"] { options.color = color }
        options.mode = settings["mode"]
        options.isDryRun = dryRun
        options.isSure = yes
        options.asksNothing = noInput
        options.isQuiet = quiet
        options.isVerbose = verbose
        options.timeout = settings["timeout"].flatMap(Double.init)
        options.settings = settings.rows + [startUpRow(machine)]
        return options
    }

    /// The row for the start-up file. Only flags and environment variables can name it: a project's file may
    /// come from a stranger.
    private func startUpRow(_ machine: Machine) -> Settings.Row {
        let name = "startup"
        let variable = Program.names.startUpVariable
        if noStartup { return Settings.Row(name: name, value: "none", source: "--no-startup") }
        if let startup { return Settings.Row(name: name, value: startup, source: "--startup") }
        if let file = machine.environment[variable] {
            return Settings.Row(name: name, value: file.isEmpty ? "none" : file, source: variable)
        }
        let file = "\(Program.names.startUpFile) beside the user's settings, at a terminal"
        return Settings.Row(name: name, value: file, source: "default")
    }
}
