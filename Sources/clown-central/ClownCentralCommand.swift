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
            commands. With -c, -f or a pipe it runs commands and stops at the first
            failure.

            Examples:
              clown-central --ephemeral -c seed -c 'party list --limit 10'
              clown-central --server http://127.0.0.1:8080 --as alice
              clown-central demo

            Exit codes: 0 done, 1 failed, 2 usage, 3 script stopped at an error,
            4 not signed in, 5 conflict, 6 throttled or quota, 130 interrupted.
            """,
        version: ClownCentralApp.version,
        subcommands: [DemoCommand.self, NewCommand.self]
    )

    @Option(
        name: [.customShort("c"), .long], parsing: .unconditionalSingleValue,
        help: "Run this; may be repeated.")
    var command: [String] = []

    @Option(name: .shortAndLong, help: "Run the commands in this file; - is standard input.")
    var file: String?

    @Option(help: "Speak to the server at this address. Default: CLOUDLET_URL, if no place is given.")
    var server: String?

    @Option(help: "Keep the embedded server's data in this folder.")
    var data: String?

    @Flag(help: "Use an embedded server that forgets everything at the end.")
    var ephemeral = false

    @Option(name: .customLong("as"), help: "Sign in as this person.")
    var person: String?

    @Option(help: "The token of the app, where the server wants one. Default: CLOUDLET_API_TOKEN")
    var apiToken: String?

    @Option(name: .customLong("on"), help: "Be on this device.")
    var device = Self.usualDevice

    @Option(help: "Keep what devices have of notes and receipts in this folder.")
    var devices: String?

    @Option(help: "Make identifiers repeatable.")
    var seed: UInt64?

    @Option(help: "Count +2d and tomorrow from this moment.")
    var now: String?

    @Flag(help: "Go on after a failure.")
    var keepGoing = false

    @Flag(help: "Print one JSON document per command on standard output.")
    var json = false

    @Option(help: "Colour: auto, always or never.")
    var color: ColorChoice = .auto

    private static let usualDevice = "terminal"

    func validate() throws {
        if !command.isEmpty, file != nil { throw ValidationError("give -c or -f, not both") }
        let servers = [server != nil, data != nil, ephemeral].filter { $0 }
        if servers.count > 1 { throw ValidationError("give one of --server, --data and --ephemeral") }
        if let server, Self.address(server) == nil {
            throw ValidationError("--server takes an address such as http://host:8080")
        }
        if data?.isEmpty == true { throw ValidationError("--data takes a folder; it was given nothing") }
    }

    @MainActor
    func run() async throws {
        let machine = Machine.current
        var options = ShellOptions()
        if !command.isEmpty { options.input = .commands(command) }
        if let file, file != "-" { options.input = .file(URL(fileURLWithPath: file)) }
        options.server = try place(machine)
        options.person = person
        options.apiToken = apiToken
        options.device = device
        options.devices = devices.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.seed = seed
        options.now = now
        options.keepsGoing = keepGoing
        options.isJSON = json
        options.color = color.rawValue
        throw ExitCode(await ClownCentralApp(machine: machine).run(options))
    }

    /// Which server answers: the flags decide, then the environment, and else there is one in this process.
    private func place(_ machine: Machine) throws -> ShellOptions.Server {
        if ephemeral { return .ephemeral }
        if let data { return .embedded(URL(fileURLWithPath: data, isDirectory: true)) }
        guard let address = server ?? machine.serverAddress else { return .embedded(nil) }
        guard let url = Self.address(address) else {
            throw ValidationError("CLOUDLET_URL is `\(address)`, and not an address such as http://host:8080")
        }
        return .remote(url)
    }

    /// The flags given that have no meaning for the walkthrough.
    var notForDemo: [String] {
        let given = [
            ("-c", !command.isEmpty), ("--file", file != nil), ("--server", server != nil),
            ("--data", data != nil), ("--as", person != nil), ("--on", device != Self.usualDevice),
            ("--devices", devices != nil), ("--keep-going", keepGoing),
        ]
        return given.filter(\.1).map(\.0)
    }

    private static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            return nil
        }
        return url
    }
}
