// Owns what counts for a shell: the flags, then the environment, then the files of settings.
import ArgumentParser
import ClownCentral
import CommandText
import Foundation

extension ClownCentralCommand {
    private static let place = "place"

    /// What can be set, in the order that `config list` shows.
    private static let keys: [ConfigurationKey] = [
        ConfigurationKey(
            "server", .address,
            variables: [ConfigurationKey.Variable("CLOUDLET_URL"), variable("SERVER")], usual: "embedded",
            group: place),
        ConfigurationKey(
            "data", .path, variables: [variable("DATA")], usual: "a folder of the person's", group: place),
        ConfigurationKey("as", .text, variables: [variable("AS")], usual: "nobody"),
        ConfigurationKey("on", .text, variables: [variable("ON")], usual: "terminal"),
        ConfigurationKey(
            "api-token", .text, variables: [ConfigurationKey.Variable("CLOUDLET_API_TOKEN")], usual: "none",
            isSecret: true, isCredential: true),
        ConfigurationKey("devices", .path, variables: [variable("DEVICES")], usual: "beside the data"),
        ConfigurationKey("seed", .whole(0...UInt64.max), variables: [variable("SEED")], usual: "by chance"),
        ConfigurationKey("now", .text, variables: [variable("NOW")], usual: "the time of day"),
        ConfigurationKey("mode", .choice(ShellOptions.modes), variables: [variable("MODE")], usual: "table"),
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

    /// The variables that set something, for the man page.
    static var variables: [(name: String, text: String)] { ConfigurationKey.variables(of: keys) }

    private static func variable(_ name: String) -> ConfigurationKey.Variable {
        ConfigurationKey.Variable("CLOWN_CENTRAL_" + name)
    }

    /// What counts. Throws `ConfigurationError` for a file or a variable that makes no sense.
    func settings(_ machine: Machine) throws -> Settings {
        let configuration = try Configuration(
            of: "clown-central", keys: Self.keys, environment: machine.environmentOfApp,
            currentFolder: machine.currentFolder, home: machine.home)
        let flags = [
            "server": server, "data": data, "as": person, "on": device, "api-token": apiToken,
            "devices": devices, "seed": seed.map(String.init), "now": now, "mode": json ? "json" : mode,
            "color": color?.rawValue, "timeout": timeout.map { "\($0)" },
        ]
        return configuration.settings(
            flags: flags.compactMapValues { $0 }, decided: ephemeral ? [Self.place: "ephemeral"] : [:])
    }

    /// The start-up file is named by whoever starts the shell, and not by a file that came with a folder.
    private func startUpRow(_ machine: Machine) -> Settings.Row {
        let name = "startup"
        let variable = StartUpFile.variable
        if noStartup { return Settings.Row(name: name, value: "none", source: "--no-startup") }
        if let startup { return Settings.Row(name: name, value: startup, source: "--startup") }
        if let file = machine.environment[variable] {
            return Settings.Row(name: name, value: file.isEmpty ? "none" : file, source: variable)
        }
        let usual = "startup.clown beside the user's settings, at a terminal"
        return Settings.Row(name: name, value: usual, source: "default")
    }

    /// Throws `ConfigurationError` when credentials would go to a server that the person has not confirmed.
    private func confirmServer(_ settings: Settings, _ machine: Machine) throws {
        let file = ConfirmedServersFile(
            of: "clown-central", environment: machine.environment, home: machine.home)
        if trustServer, let server = settings.projectServer { try file.add(server) }
        let mayAsk = !noInput && isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        try CredentialRule.confirm(
            settings, in: file, on: mayAsk ? .terminal : .script, way: "add --trust-server",
            sendsMore: true
        ) { question in
            StandardError.write(VisibleText.escaped(question) + " [y/N] ")
            return ["y", "yes"].contains(readLine()?.lowercased())
        }
    }

    /// Runs a shell that takes its commands from where `options` says.
    @MainActor
    func run(_ options: ShellOptions) async throws {
        let machine = Machine.current
        let settings = try settings(machine)
        var options = options
        if ephemeral {
            options.server = .ephemeral
        } else if let data = settings["data"] {
            options.server = .embedded(URL(fileURLWithPath: data, isDirectory: true))
        } else if let url = settings["server"].flatMap(Self.address) {
            options.server = .remote(url)
        }
        try confirmServer(settings, machine)
        options.allowsPlainHTTP = allowPlainHTTP
        // The data of an embedded server is for its user only.
        if case .remote = options.server {} else { UserMask.tighten() }
        options.person = settings["as"]
        options.apiToken = settings["api-token"]
        if let device = settings["on"] { options.device = device }
        options.devices = settings["devices"].map { URL(fileURLWithPath: $0, isDirectory: true) }
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
        let app = ClownCentralApp(machine: settings.projectServer != nil ? machine.withoutSecrets : machine)
        throw ExitCode(await app.run(options))
    }
}
