import CloudletServer
public import CloudletShell
public import CommandShell
import Foundation

/// Clown Central, as the command line starts it.
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

    /// What the app is called.
    public static let names = ProgramNames("clown-central", title: "Clown Central", scriptEnding: "clown")

    static let release = CloudletServer.release

    /// The release and what it was built with.
    public static var version: String {
        "clown-central \(release) (\(CloudletServer.build), \(Shell.editorVersion))"
    }

    private static let table = CommandTable(of: ClownCentralProgram.described)

    /// The shell's commands in the order of its help: how each is used, and what it does.
    public static var commands: [(name: String, text: String)] {
        table.commands.map { ($0.usage, $0.summary) }
    }

    /// The names of the shell's commands.
    public static var commandNames: [String] { table.commands.map(\.name) }

    /// What to say about command-line arguments that begin with a word: commands of the shell go behind `-c`.
    public static func hint(for arguments: [String]) -> String? {
        Shell.hint(for: arguments, of: names, table, subcommands: ["demo", "new", "run"])
    }

    let machine: Machine

    /// An app on a machine.
    public init(machine: Machine) {
        self.machine = machine
    }

    /// Runs a shell to its end and answers the exit code. It never throws: what goes wrong is said on
    /// standard error and becomes the code.
    @MainActor
    public func run(_ options: CloudShellOptions) async -> Int32 {
        await Shell(Self.names, machine: machine).run(options.shell) { environment in
            try await options.open(Self.names, in: environment) { ClownCentralProgram($0) }
        }
    }

    /// Plays the walkthrough, each scene against a server of its own, and answers the exit code.
    @MainActor
    public func demo(_ options: DemoOptions) async -> Int32 {
        await Shell(Self.names, machine: machine).demo(options) { environment in
            var start = CloudShellOptions(container: Self.container)
            start.server = .ephemeral
            start.shell.seed = environment.seed
            return try await start.open(Self.names, in: environment) { ClownCentralProgram($0) }
        }
    }

    /// The names of the scenes that begin so; none when they cannot be found.
    public func sceneNames(beginningWith prefix: String) -> [String] {
        Shell(Self.names, machine: machine).sceneNames(beginningWith: prefix)
    }
}
