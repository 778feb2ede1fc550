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

            What it stores is in ~/.local/share/clown-central, the folder beside it whose
            name ends in -devices, ~/.local/state/clown-central and
            ~/.config/clown-central, or in the folders that --data and --devices name:
            private to you, and deleted by `clown-central remove-data`.

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

    /// Checks that no flag of the shell is given that a subcommand ignores.
    ///
    /// - Parameters:
    ///   - taken: The flags of the shell that the subcommand uses.
    ///   - command: The name of the subcommand.
    /// - Throws: `ValidationError`.
    func refuseFlags(except taken: Set<String>, in command: String) throws {
        guard let flag = givenFlags.first(where: { !taken.contains($0) }) else { return }
        throw ValidationError("`\(command)` does not use \(flag): leave it out")
    }

    /// The names of the flags that were given.
    private var givenFlags: [String] {
        let (input, cloud, shell) = (flags.input, flags.cloud, flags.shell)
        let ofShell: [(name: String, isGiven: Bool)] = [
            ("-c", !input.command.isEmpty), ("--file", input.file != nil),
            ("--startup", shell.startup != nil), ("--no-startup", shell.noStartup),
            ("--seed", shell.seed != nil), ("--now", shell.now != nil), ("--keep-going", shell.keepGoing),
            ("--json", shell.json), ("--color", shell.color != nil), ("--mode", shell.mode != nil),
            ("--dry-run", shell.dryRun), ("--yes", shell.yes), ("--no-input", shell.noInput),
            ("--quiet", shell.quiet), ("--verbose", shell.verbose), ("--timeout", shell.timeout != nil),
        ]
        let ofCloud: [(name: String, isGiven: Bool)] = [
            ("--server", cloud.server != nil), ("--data", cloud.data != nil),
            ("--ephemeral", cloud.ephemeral), ("--as", cloud.person != nil),
            ("--api-token", cloud.apiToken != nil), ("--trust-server", cloud.trustServer),
            ("--allow-plain-http", cloud.allowPlainHTTP),
            ("--trust-certificate", cloud.trustCertificate != nil), ("--on", cloud.device != nil),
            ("--devices", cloud.devices != nil),
        ]
        return (ofShell + ofCloud).filter(\.isGiven).map(\.name)
    }
}
