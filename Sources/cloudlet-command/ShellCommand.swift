import ArgumentParser
import CloudletServer
import CloudletShell
import CommandShell
import Foundation
import Records

/// `cloudlet shell`: an interactive or scripted shell for any container.
struct ShellCommand: AsyncParsableCommand, NamedProgram {
    static let names = ProgramNames(
        "cloudlet-shell", title: "Cloudlet", invocation: "cloudlet shell", scriptExtension: "cloudlet")

    static let configuration = CommandConfiguration(
        commandName: "shell",
        abstract: "Read and change any container with commands, typed or from a script.",
        usage: """
            cloudlet shell --ephemeral
            cloudlet shell --server http://127.0.0.1:8080 --as alice --container iCloud.org.example.app
            cloudlet shell --data ./data -c 'record find Party' --json
            """,
        discussion: """
            At a terminal, `help` shows the commands: records, zones, schema, roles, people, pushes, \
            networks (network dead), the clock (clock advance), faults and more. Without a terminal, \
            and with -c or -f, it runs the given commands and stops at the first failure. With \
            --data it opens the folder itself, which no server may use at the same time; everybody \
            signs in by name there.

            Environment variables (CLOUDLET_SHELL_AS for --as) and cloudlet-shell.conf can set the \
            same as flags; -c 'config list' shows each setting and its source.
            """
    )

    private static let table = CommandTable(
        of: CloudProgram(names, session: .placeholder(of: names), build: ""))

    static var commandNames: [String] { table.commands.map(\.name) }

    @Option(help: "The container to use. Default: CLOUDLET_CONTAINER, or else iCloud.org.example.app")
    var container: String?

    @OptionGroup var flags: CloudShellFlags<ShellCommand>

    @MainActor
    func run() async throws {
        let machine = Machine.current(for: Self.names.name)
        let container = try CommandSettings.settings(["container": container])["container"]
        let start = try flags.start(
            flags.input.input, on: machine, container: container ?? "iCloud.org.example.app")
        var options = start.options
        // The same default folder as for the other commands.
        if case .embedded(nil) = options.server {
            let folder = try CommandSettings.dataFolder(nil)
            options.server = .embedded(URL(fileURLWithPath: folder, isDirectory: true))
        }
        let build = "\(SoftwareVersion.version) (\(CloudletServer.build))"
        let code = await Shell(Self.names, machine: start.machine).run(options.shell) {
            [options] environment in
            try await options.open(Self.names, in: environment) {
                CloudProgram(Self.names, session: $0, build: build)
            }
        }
        throw ExitCode(code)
    }
}
