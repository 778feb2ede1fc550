import ArgumentParser
import Cloudlet
import CommandShell
import Foundation

/// The command line: the data folder, the server, and the commands to run.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Program.names.name,
        abstract: "Starts a shell, unless -c, -f or a pipe has commands; `help` there shows all commands.")

    @Option(help: "The folder with one person's data on this device.", completion: .directory)
    var data = "data"

    @Option(help: "The server. Default: CLOUDLET_URL, or http://127.0.0.1:8080")
    var server: String?

    @Option(
        help: "Trust the certificates in this PEM file, in place of the system's.", completion: .file())
    var trustCertificate: String?

    @OptionGroup var input: InputFlags<Program>
    @OptionGroup var shell: ShellFlags<Program>

    @MainActor
    func run() async throws {
        // Files that this process creates are readable for its user only.
        UserMask.tighten()
        let machine = Machine.current(for: Program.names.name)
        let trust = ConfigurationKey.trustCertificate(variable: "CLOUDLET_TRUST_CERTIFICATE")
        var given = shell.given
        given[trust.name] = trustCertificate
        let settings = try Configuration(
            of: Program.names.name, keys: ShellFlags<Program>.keys + [trust],
            environment: machine.environment, currentFolder: machine.currentFolder, home: machine.home
        ).settings(flags: given)
        let options = shell.options(input.input, settings, machine)
        let isLive = input.command.isEmpty && input.file == nil && isatty(STDIN_FILENO) == 1
        let (folder, server) = (URL(fileURLWithPath: data, isDirectory: true), server)
        let code = await Shell(Program.names, machine: machine).run(options) { environment in
            let certificates = try ConfigurationKey.trustedCertificates(in: settings)
            let device = try Self.device(in: folder, server, trusting: certificates, machine, environment)
            let program = Program(device: device, environment: environment, isLive: isLive)
            return RunningProgram(program, close: { try? device.session.save() })
        }
        throw ExitCode(code)
    }

    private static func device(
        in folder: URL, _ server: String?, trusting certificates: URL?, _ machine: Machine,
        _ environment: ShellEnvironment
    ) throws -> Device {
        let variables = machine.environment
        let address = server ?? variables["CLOUDLET_URL"] ?? "http://127.0.0.1:8080"
        guard let url = URL(string: address), url.host != nil else {
            throw ShellError.usage("`\(address)` is not the address of a server")
        }
        let isProduction = variables["CLOUDLET_ENVIRONMENT"] == "production"
        let transport =
            try certificates.map { try HTTPTransport(url: url, trustingCertificatesIn: $0) }
            ?? HTTPTransport(url: url)
        var connection = CloudConnection(
            transport: transport, environment: isProduction ? .production : .development,
            apiToken: variables["CLOUDLET_API_TOKEN"])
        connection.deviceName = folder.lastPathComponent
        let news = SyncNews()
        return try Device(
            folder: folder, session: Session(folder: folder, server: url, variables: variables),
            connection: connection, container: variables["CLOUDLET_CONTAINER"] ?? Device.container,
            now: machine.now,
            pause: { try await machine.pause($0 / .seconds(1)) },
            report: { status in
                if let line = news.line(about: status) { environment.announcer.announce(line) }
            })
    }
}
