import ArgumentParser
import CloudletShell
import ClownCentral
import CommandShell
import Foundation

/// The root command. It runs a shell.
struct ClownCentralCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clown-central",
        abstract: "Parties, clowns and photos on your own record server.",
        discussion: """
            Without arguments at a terminal, it starts a shell; `help` there shows the
            commands. With -c, -f, run or a pipe it runs commands and stops at the first
            failure.

            Examples:
              clown-central --ephemeral -c seed -c 'party list --limit 10'
              clown-central --server http://127.0.0.1:8080 --as alice
              clown-central run party.clown --as alice
              clown-central demo

            A setting comes from a flag, otherwise from an environment variable
            (CLOWN_CENTRAL_AS for --as), otherwise from the project's file, which is
            clown-central.conf in the current folder or one above it, otherwise from
            ~/.config/clown-central/clown-central.conf. The files have lines such as
            `as = alice`; -c 'config list' shows each setting and its source. A server
            that a project's file names receives the app's token only after you have
            confirmed it for that folder: at a terminal you are asked once, elsewhere use
            --trust-server. ~/.local/state/clown-central/confirmed-servers lists the
            confirmed servers.

            What it stores is in ~/.local/share/clown-central, the folder beside it whose name
            ends in -devices, ~/.local/state/clown-central and ~/.config/clown-central, or in
            the folders that --data and --devices name: private to you, and deleted by
            `clown-central remove-data`.

            Completion: source <(clown-central --generate-completion-script bash), or zsh,
            or fish. Man page: clown-central --generate-manual | man -l -

            Exit codes: 0 done, 1 failed, 2 usage, 3 script stopped at an error,
            4 not signed in, 5 conflict, 6 throttled or quota, 130 interrupted.
            """,
        version: ClownCentralApp.version,
        subcommands: [RunCommand.self, DemoCommand.self, NewCommand.self, RemoveDataCommand.self]
    )

    @OptionGroup var flags: CloudShellFlags<ClownCentralApp>

    @MainActor
    func run() async throws {
        try await run(flags.input.input)
    }

    /// Runs a shell that reads its commands from `input` and exits with its code.
    @MainActor
    func run(_ input: ShellOptions.Input) async throws {
        let (options, machine) = try flags.start(input, on: .current, container: ClownCentralApp.container)
        throw ExitCode(await ClownCentralApp(machine: machine).run(options))
    }

    /// The given flags that `demo` cannot use.
    var notForDemo: [String] {
        let (input, cloud, shell) = (flags.input, flags.cloud, flags.shell)
        let given = [
            ("-c", !input.command.isEmpty), ("--file", input.file != nil), ("--server", cloud.server != nil),
            ("--data", cloud.data != nil), ("--as", cloud.person != nil), ("--on", cloud.device != nil),
            ("--devices", cloud.devices != nil), ("--startup", shell.startup != nil),
            ("--keep-going", shell.keepGoing),
        ]
        return given.filter(\.1).map(\.0)
    }
}
