// Owns the command line of Clown Central: flags in, exit code out.
import ArgumentParser
import ClownCentral
import Foundation

/// The root command: a shell.
struct ClownCentralCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clown-central",
        abstract: "Parties, clowns and photos in a cloud of one's own.",
        discussion: """
            Without arguments on a terminal this is a shell; `help` there shows its
            commands. With -c, -f, run or a pipe it runs commands and stops at the first
            failure.

            Examples:
              clown-central --ephemeral -c seed -c 'party list --limit 10'
              clown-central --server http://127.0.0.1:8080 --as alice
              clown-central run party.clown --as alice
              clown-central demo

            What a flag sets, a variable of the environment can set, too (CLOWN_CENTRAL_AS
            for --as), and so can clown-central.conf in the present folder or one around
            it, and ~/.config/clown-central/clown-central.conf, with lines such as
            `as = alice`. Flags count most, then variables, then the project's file;
            -c 'config list' shows what counts, and where it is from. A server that a
            project's file names gets the token of the app only once you have confirmed it
            for that folder: at a terminal you are asked once, elsewhere --trust-server
            does it; ~/.local/state/clown-central/confirmed-servers remembers it.

            Completion: source <(clown-central --generate-completion-script bash), or zsh,
            or fish. Man page: clown-central --generate-manual | man -l -

            Exit codes: 0 done, 1 failed, 2 usage, 3 script stopped at an error,
            4 not signed in, 5 conflict, 6 throttled or quota, 130 interrupted.
            """,
        version: ClownCentralApp.version,
        subcommands: [RunCommand.self, DemoCommand.self, NewCommand.self]
    )

    @Option(
        name: [.customShort("c"), .long], parsing: .unconditionalSingleValue,
        help: "Run this; may be repeated.",
        completion: .custom { _, _, prefix in ClownCentralApp.commandNames(beginningWith: prefix) })
    var command: [String] = []

    @Option(
        name: .shortAndLong, help: "Run the commands in this file; - is standard input.", completion: .file())
    var file: String?

    @Option(help: "Speak to the server at this address. Default: CLOUDLET_URL, if no place is given.")
    var server: String?

    @Option(help: "Keep the embedded server's data in this folder.", completion: .directory)
    var data: String?

    @Flag(help: "Use an embedded server that forgets everything at the end.")
    var ephemeral = false

    @Option(name: .customLong("as"), help: "Sign in as this person.")
    var person: String?

    @Option(help: "The token of the app, where the server wants one. Default: CLOUDLET_API_TOKEN")
    var apiToken: String?

    @Flag(help: "Let the server that clown-central.conf of this folder names have credentials, from now on.")
    var trustServer = false

    @Flag(
        name: .customLong("allow-plain-http"),
        help: "Send the operator's key over http to another machine, where others may read it.")
    var allowPlainHTTP = false

    @Option(name: .customLong("on"), help: "Be on this device. Default: terminal")
    var device: String?

    @Option(help: "Keep what devices have of notes and receipts in this folder.", completion: .directory)
    var devices: String?

    @Option(
        help: """
            Do the commands in this file first, whatever follows. Default, at a terminal: \
            CLOWN_CENTRAL_STARTUP, or startup.clown in ~/.config/clown-central.
            """)
    var startup: String?

    @Flag(help: "Leave the start-up file out.")
    var noStartup = false

    @Option(help: "Make identifiers repeatable.")
    var seed: UInt64?

    @Option(help: "Count +2d and tomorrow from this moment.")
    var now: String?

    @Flag(help: "Go on after a failure.")
    var keepGoing = false

    @Flag(help: "Print one JSON document per command on standard output.")
    var json = false

    @Option(help: "Colour: auto, always or never. Default: auto")
    var color: ColorChoice?

    @Option(
        help: "How answers look: table, line, json, jsonl, csv or markdown.",
        completion: .list(ShellOptions.modes))
    var mode: String?

    @Flag(help: "Read the commands and say what would be done, without doing it.")
    var dryRun = false

    @Flag(help: "Do what is otherwise asked about.")
    var yes = false

    @Flag(help: "Never ask anything.")
    var noInput = false

    @Flag(help: "Leave out what is said about answers; complaints stay.")
    var quiet = false

    @Flag(help: "Show every request on standard error.")
    var verbose = false

    @Option(help: "Give a command up after so many seconds.")
    var timeout: Double?

    func validate() throws {
        if !command.isEmpty, file != nil { throw ValidationError("give -c or -f, not both") }
        if startup != nil, noStartup { throw ValidationError("give --startup or --no-startup, not both") }
        let servers = [server != nil, data != nil, ephemeral].filter { $0 }
        if servers.count > 1 { throw ValidationError("give one of --server, --data and --ephemeral") }
        if let server, Self.address(server) == nil {
            throw ValidationError("--server takes an address such as http://host:8080")
        }
        if let mode, !ShellOptions.modes.contains(mode) {
            throw ValidationError("--mode is one of \(ShellOptions.modes.joined(separator: ", "))")
        }
        if let timeout, timeout <= 0 { throw ValidationError("--timeout takes a number above 0") }
        if data?.isEmpty == true { throw ValidationError("--data takes a folder; it was given nothing") }
    }

    @MainActor
    func run() async throws {
        var options = ShellOptions()
        if !command.isEmpty { options.input = .commands(command) }
        if let file, file != "-" { options.input = .file(URL(fileURLWithPath: file)) }
        try await run(options)
    }

    /// The flags given that have no meaning for the walkthrough.
    var notForDemo: [String] {
        let given = [
            ("-c", !command.isEmpty), ("--file", file != nil), ("--server", server != nil),
            ("--data", data != nil), ("--as", person != nil), ("--on", device != nil),
            ("--devices", devices != nil), ("--startup", startup != nil), ("--keep-going", keepGoing),
        ]
        return given.filter(\.1).map(\.0)
    }

    static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            return nil
        }
        return url
    }
}
