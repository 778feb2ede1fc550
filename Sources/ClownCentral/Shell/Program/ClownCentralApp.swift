import CloudletServer
public import CloudletShell
public import CommandShell
import Foundation

/// The entry point of Clown Central for its command line.
///
/// ```swift
/// var options = CloudShellOptions(container: ClownCentralApp.container)
/// options.server = .ephemeral
/// options.shell.input = .commands(["seed", "party list --limit 3"])
/// let code = await ClownCentralApp(machine: machine).run(options)
/// ```
public struct ClownCentralApp: NamedProgram, Sendable {
    /// The container that Clown Central keeps its records in.
    public static let container = "iCloud.org.cloudlet.ClownCentral"

    /// The names of the program, the app and its scripts.
    public static let names = ProgramNames("clown-central", title: "Clown Central", scriptExtension: "clown")

    static let release = CloudletServer.release

    /// The text of `--version`: release, build and line editor.
    public static var version: String {
        "clown-central \(release) (\(CloudletServer.build), \(Shell.editorVersion))"
    }

    private static let table = CommandTable(of: ClownCentralProgram.described)

    /// The usage and summary of each shell command, in the order of `help`.
    public static var commands: [(name: String, text: String)] {
        table.commands.map { ($0.usage, $0.summary) }
    }

    /// The names of the shell's commands.
    public static var commandNames: [String] { table.commands.map(\.name) }

    /// A hint for unknown command-line arguments: shell commands must follow `-c`. Nil if the hint does not
    /// apply.
    public static func hint(for arguments: [String]) -> String? {
        Shell.hint(for: arguments, of: names, table, subcommands: ["demo", "new", "remove-data", "run"])
    }

    let machine: Machine

    /// Creates the app for a machine.
    public init(machine: Machine) {
        self.machine = machine
    }

    /// Runs a shell to its end and returns the exit code. It does not throw: errors are printed on standard
    /// error and become the exit code.
    @MainActor
    public func run(_ options: CloudShellOptions) async -> Int32 {
        await Shell(Self.names, machine: machine).run(options.shell) { environment in
            try await options.open(Self.names, in: environment) { ClownCentralProgram($0) }
        }
    }

    /// Plays the walkthrough and returns the exit code. Each scene runs against a server of its own.
    @MainActor
    public func demo(_ options: DemoOptions) async -> Int32 {
        await Shell(Self.names, machine: machine).demo(options) { environment in
            var start = CloudShellOptions(container: Self.container)
            start.server = .ephemeral
            start.shell.seed = environment.seed
            return try await start.open(Self.names, in: environment) { ClownCentralProgram($0) }
        }
    }

    /// The names of the scenes that begin with a prefix; empty if the scenes cannot be found.
    public func sceneNames(beginningWith prefix: String) -> [String] {
        Shell(Self.names, machine: machine).sceneNames(beginningWith: prefix)
    }
}
