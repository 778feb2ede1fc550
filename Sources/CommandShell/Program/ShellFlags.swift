public import ArgumentParser
import Foundation

extension ColorChoice: ExpressibleByArgument {}

/// `-c COMMAND` and `-f FILE`: where commands come from.
public struct InputFlags<Program: NamedProgram>: ParsableArguments {
    /// The commands to run.
    @Option(
        name: [.customShort("c"), .long], parsing: .unconditionalSingleValue,
        help: "Run this; may be repeated.",
        completion: .custom { _, _, prefix in Program.commandNames.filter { $0.hasPrefix(prefix) } })
    public var command: [String] = []

    /// The file of commands.
    @Option(
        name: .shortAndLong, help: "Run the commands in this file; - is standard input.", completion: .file())
    public var file: String?

    /// Flags as if none was given.
    public init() {}

    /// Throws when the flags exclude each other.
    public func validate() throws {
        if !command.isEmpty, file != nil { throw ValidationError("give -c or -f, not both") }
    }

    /// Where commands come from.
    public var input: ShellOptions.Input {
        if !command.isEmpty { return .commands(command) }
        if let file, file != "-" { return .file(URL(fileURLWithPath: file)) }
        return .standardInput
    }
}

/// The flags that every program with a shell has.
public struct ShellFlags<Program: NamedProgram>: ParsableArguments {
    /// The start-up file.
    @Option(
        help: """
            Do the commands in this file first, whatever follows. Default, at a terminal: \
            \(Program.names.startUpVariable), or \(Program.names.startUpFile) in \
            ~/.config/\(Program.names.name).
            """)
    public var startup: String?

    /// Whether there is none.
    @Flag(help: "Leave the start-up file out.")
    public var noStartup = false

    /// Where identifiers come from.
    @Option(help: "Make identifiers repeatable.")
    public var seed: UInt64?

    /// The moment that relative times count from.
    @Option(help: "Count +2d and tomorrow from this moment.")
    public var now: String?

    /// Whether a failure ends a script.
    @Flag(help: "Go on after a failure.")
    public var keepGoing = false

    /// Whether answers are JSON.
    @Flag(help: "Print one JSON document per command on standard output.")
    public var json = false

    /// Whether to colour.
    @Option(help: "Colour: auto, always or never. Default: auto")
    public var color: ColorChoice?

    /// How answers look.
    @Option(
        help: "How answers look: table, line, json, jsonl, csv or markdown.",
        completion: .list(ShellOptions.modes))
    public var mode: String?

    /// Whether it is only a rehearsal.
    @Flag(help: "Read the commands and say what would be done, without doing it.")
    public var dryRun = false

    /// Whether everything is agreed to.
    @Flag(help: "Do what is otherwise asked about.")
    public var yes = false

    /// Whether nobody is asked.
    @Flag(help: "Never ask anything.")
    public var noInput = false

    /// Whether talk is left out.
    @Flag(help: "Leave out what is said about answers; complaints stay.")
    public var quiet = false

    /// Whether requests are shown.
    @Flag(help: "Show every request on standard error.")
    public var verbose = false

    /// How long a command may take.
    @Option(help: "Give a command up after so many seconds.")
    public var timeout: Double?

    /// Flags as if none was given.
    public init() {}

    /// Throws for flags that exclude each other, and for values that make no sense.
    public func validate() throws {
        if startup != nil, noStartup { throw ValidationError("give --startup or --no-startup, not both") }
        if let mode, !ShellOptions.modes.contains(mode) {
            throw ValidationError("--mode is one of \(ShellOptions.modes.joined(separator: ", "))")
        }
        if let timeout, timeout <= 0 { throw ValidationError("--timeout takes a number above 0") }
    }

    // MARK: Settings

    /// What can be set by a variable or a file, too.
    public static var keys: [ConfigurationKey] {
        func variable(_ name: String) -> ConfigurationKey.Variable {
            ConfigurationKey.Variable(Program.names.variable(name))
        }
        return [
            ConfigurationKey(
                "seed", .whole(0...UInt64.max), variables: [variable("SEED")], usual: "by chance"),
            ConfigurationKey("now", .text, variables: [variable("NOW")], usual: "the time of day"),
            ConfigurationKey(
                "mode", .choice(ShellOptions.modes), variables: [variable("MODE")], usual: "table"),
            ConfigurationKey(
                "color", .choice(ColorChoice.allCases.map(\.rawValue)),
                variables: [
                    variable("COLOR"), ConfigurationKey.Variable("NO_COLOR") { _ in "never" },
                    ConfigurationKey.Variable("CLICOLOR_FORCE") { $0 == "0" ? nil : "always" },
                ],
                usual: "auto"),
            ConfigurationKey(
                "timeout", .number(0.001...1e9), variables: [variable("TIMEOUT")], usual: "none"),
        ]
    }

    /// The settings that were given as flags.
    public var given: [String: String] {
        [
            "seed": seed.map(String.init), "now": now, "mode": json ? "json" : mode,
            "color": color?.rawValue, "timeout": timeout.map { "\($0)" },
        ].compactMapValues(\.self)
    }

    /// How the shell starts, with the settings that count.
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
        options.isRehearsal = dryRun
        options.isSure = yes
        options.asksNothing = noInput
        options.isQuiet = quiet
        options.isVerbose = verbose
        options.timeout = settings["timeout"].flatMap(Double.init)
        options.settings = settings.rows + [startUpRow(machine)]
        return options
    }

    /// The start-up file is named by whoever starts the shell, and not by a file that came with a folder.
    private func startUpRow(_ machine: Machine) -> Settings.Row {
        let name = "startup"
        let variable = Program.names.startUpVariable
        if noStartup { return Settings.Row(name: name, value: "none", source: "--no-startup") }
        if let startup { return Settings.Row(name: name, value: startup, source: "--startup") }
        if let file = machine.environment[variable] {
            return Settings.Row(name: name, value: file.isEmpty ? "none" : file, source: variable)
        }
        let usual = "\(Program.names.startUpFile) beside the user's settings, at a terminal"
        return Settings.Row(name: name, value: usual, source: "default")
    }
}
