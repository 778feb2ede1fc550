public import ArgumentParser
public import CommandShell
import Foundation

/// The flags for the server, the person and the device.
public struct CloudFlags<Program: NamedProgram>: ParsableArguments {
    /// The address of a remote server.
    @Option(help: "Use the server at this address. Default: CLOUDLET_URL, without --data or --ephemeral.")
    public var server: String?

    /// The data folder of an embedded server.
    @Option(help: "Keep the embedded server's data in this folder.", completion: .directory)
    public var data: String?

    /// Whether to use an embedded server that deletes its data at the end.
    @Flag(help: "Use an embedded server whose data is deleted at the end.")
    public var ephemeral = false

    /// The person to sign in.
    @Option(name: .customLong("as"), help: "Sign in as this person.")
    public var person: String?

    /// The app's API token.
    @Option(help: "The app's token, if the server requires one. Default: CLOUDLET_API_TOKEN")
    public var apiToken: String?

    /// Whether to confirm the server that the project's file names.
    @Flag(
        help: """
            Send credentials to the server that \(Program.names.name).conf of this folder names, from now on.
            """)
    public var trustServer = false

    /// Whether the operator's key may be sent over plain HTTP.
    @Flag(
        name: .customLong("allow-plain-http"),
        help: "Send the operator's key over http to another machine, where others may read it.")
    public var allowPlainHTTP = false

    /// The file with the certificates to trust.
    @Option(
        help: "Trust the certificates in this PEM file, in place of the system's.", completion: .file())
    public var trustCertificate: String?

    /// The device.
    @Option(name: .customLong("on"), help: "Act as this device. Default: terminal")
    public var device: String?

    /// The folder for the data of devices.
    @Option(help: "Keep the devices' copies of people's data in this folder.", completion: .directory)
    public var devices: String?

    /// Creates flags with their defaults.
    public init() {}

    /// Throws `ValidationError` for flags that exclude each other, and for invalid values.
    public func validate() throws {
        let servers = [server != nil, data != nil, ephemeral].filter { $0 }
        if servers.count > 1 { throw ValidationError("give one of --server, --data and --ephemeral") }
        if let server, Self.address(server) == nil {
            throw ValidationError("--server takes an address such as http://host:8080")
        }
        if data?.isEmpty == true { throw ValidationError("--data takes a folder, but its value is empty") }
    }

    static func address(_ text: String) -> URL? {
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme), url.host != nil else {
            return nil
        }
        return url
    }

    /// The group of the settings that select the server. A layer that sets one of them overrides the group's
    /// settings in the layers below: see `ConfigurationKey.group`.
    static var place: String { "place" }

    static var keys: [ConfigurationKey] {
        func variable(_ name: String) -> ConfigurationKey.Variable {
            ConfigurationKey.Variable(Program.names.variable(name))
        }
        return [
            ConfigurationKey(
                "server", .address,
                variables: [ConfigurationKey.Variable("CLOUDLET_URL"), variable("SERVER")],
                default: "embedded", group: place),
            ConfigurationKey(
                "data", .path, variables: [variable("DATA")], default: "a folder in ~/.local/share",
                group: place),
            ConfigurationKey("as", .text, variables: [variable("AS")], default: "nobody"),
            ConfigurationKey("on", .text, variables: [variable("ON")], default: "terminal"),
            ConfigurationKey(
                "api-token", .text, variables: [ConfigurationKey.Variable("CLOUDLET_API_TOKEN")],
                default: "none", isSecret: true, isCredential: true),
            ConfigurationKey("devices", .path, variables: [variable("DEVICES")], default: "beside the data"),
            ConfigurationKey.trustCertificate(variable: "CLOUDLET_TRUST_CERTIFICATE"),
        ] + PushSetup.keys + [SharingSetting.key]
    }

    var given: [String: String] {
        [
            "server": server, "data": data, "as": person, "on": device, "api-token": apiToken,
            "devices": devices, "trust-certificate": trustCertificate,
        ].compactMapValues(\.self)
    }
}

/// All flags of a program that is a shell for a container.
public struct CloudShellFlags<Program: NamedProgram>: ParsableArguments {
    /// The flags for the source of commands.
    @OptionGroup public var input: InputFlags<Program>
    /// The flags for the server, the person and the device.
    @OptionGroup public var cloud: CloudFlags<Program>
    /// The flags of every shell.
    @OptionGroup public var shell: ShellFlags<Program>

    /// Creates flags with their defaults.
    public init() {}

    /// The settings, in the order of `config list`.
    private static var keys: [ConfigurationKey] { CloudFlags<Program>.keys + ShellFlags<Program>.keys }

    /// The environment variables of the settings, for the man page.
    public static var variables: [(name: String, text: String)] { ConfigurationKey.variables(of: keys) }

    /// The effective settings. Throws `ConfigurationError` for an invalid file or variable.
    ///
    /// - Parameter container: The container of the program. An API token for another container is ignored.
    public func settings(_ machine: Machine, container: String) throws -> Settings {
        let configuration = try Configuration(
            of: Program.names.name, keys: Self.keys, environment: machine.environment(for: container),
            currentFolder: machine.currentFolder, home: machine.home)
        return configuration.settings(
            flags: cloud.given.merging(shell.given) { $1 },
            decided: cloud.ephemeral ? [CloudFlags<Program>.place: "ephemeral"] : [:])
    }

    /// The options with which the shell starts, and its machine. If the file of a project names the server,
    /// the machine has no secrets in its environment. Throws `ConfigurationError` when credentials would be
    /// sent to a server that the person has not confirmed.
    public func start(
        _ input: ShellOptions.Input, on machine: Machine, container: String
    ) throws -> (options: CloudShellOptions, machine: Machine) {
        let settings = try settings(machine, container: container)
        var options = CloudShellOptions(container: container)
        if cloud.ephemeral {
            options.server = .ephemeral
        } else if let data = settings["data"] {
            options.server = .embedded(URL(fileURLWithPath: data, isDirectory: true))
        } else if let url = settings["server"].flatMap(CloudFlags<Program>.address) {
            options.server = .remote(url)
        }
        try checkFolders(settings, options.server)
        options.trustedCertificates = try ConfigurationKey.trustedCertificates(in: settings)
        try confirmServer(settings, machine)
        // Only the user can read the data of an embedded server, and the data on devices.
        UserMask.tighten()
        options.allowsPlainHTTP = cloud.allowPlainHTTP
        options.person = settings["as"]
        options.apiToken = settings["api-token"]
        if let device = settings["on"] { options.device = device }
        options.pushSetup = PushSetup(settings)
        options.supportsSharing = SharingSetting.isOn(in: settings)
        options.devices = settings["devices"].map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.shell = shell.options(input, settings, machine)
        return (options, settings.projectServer != nil ? machine.withoutSecrets : machine)
    }

    /// Throws `ConfigurationError` if a stranger may have prepared one of the folders: see
    /// `Settings.checkFolder(_:at:)`.
    private func checkFolders(_ settings: Settings, _ server: ServerChoice) throws {
        if let devices = settings["devices"] { try settings.checkFolder("devices", at: devices) }
        if case .embedded(let folder?) = server { try settings.checkFolder("data", at: folder.path) }
    }

    private func confirmServer(_ settings: Settings, _ machine: Machine) throws {
        let file = ConfirmedServersFile(
            of: Program.names.name, environment: machine.environment, home: machine.home)
        if cloud.trustServer, let server = settings.projectServer { try file.add(server) }
        let mayAsk = !shell.noInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        try CredentialRule.confirm(
            settings, in: file, on: mayAsk ? .terminal : .script, way: "add --trust-server",
            sendsMore: true
        ) { StandardError.isConfirmed($0) }
    }
}

extension Machine {
    /// The environment variables without an API token that belongs to another container.
    fileprivate func environment(for container: String) -> [String: String] {
        if environment["CLOUDLET_CONTAINER"] ?? container == container { return environment }
        return environment.filter { $0.key != "CLOUDLET_API_TOKEN" }
    }

    /// The machine without the secrets in its environment, which are meant for another server than the one
    /// that the project's file names.
    fileprivate var withoutSecrets: Machine {
        let secrets: Set = ["CLOUDLET_PASSWORD", "CLOUDLET_API_TOKEN", "CLOUDLET_OPERATOR_KEY_FILE"]
        return Machine(
            now: now, pause: pause, randomSeed: randomSeed,
            environment: environment.filter { !secrets.contains($0.key) }, executable: executable,
            currentFolder: currentFolder, workFolder: workFolder)
    }
}
