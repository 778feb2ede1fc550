import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import Records
import RecordsWire

/// The settings of the command line tool, from flags, environment variables and configuration files.
enum CommandSettings {
    private static let place = "place"

    /// The settings, in the order of `config list`.
    private static let keys = ownKeys + AssetOptions.keys

    private static let ownKeys: [ConfigurationKey] = [
        ConfigurationKey(
            "server", .address, variables: [ConfigurationKey.Variable("CLOUDLET_URL")], default: "none",
            group: place),
        ConfigurationKey(
            "data", .path, variables: [variable("DATA")], default: "./cloudlet-data", group: place),
        ConfigurationKey(
            "operator-key-file", .path, variables: [variable("OPERATOR_KEY_FILE")], default: "none",
            isCredential: true),
        ConfigurationKey.trustCertificate(variable: "CLOUDLET_TRUST_CERTIFICATE"),
        ConfigurationKey(
            "timeout", .whole(OperatorOptions.timeouts), variables: [variable("TIMEOUT")],
            default: "\(OperatorOptions.defaultTimeout)"),
        ConfigurationKey("container", .text, variables: [variable("CONTAINER")], default: "none"),
        ConfigurationKey(
            "environment", .choice(EnvironmentOption.Environment.allCases.map(\.rawValue)),
            variables: [variable("ENVIRONMENT")], default: "development"),
        // The address may contain a password.
        ConfigurationKey(
            "database", .text, variables: [variable("DATABASE")], default: "none", isSecret: true),
        ConfigurationKey("host", .text, variables: [variable("HOST")], default: "127.0.0.1"),
        ConfigurationKey(
            "port", .whole(0...UInt64(UInt16.max)), variables: [variable("PORT")], default: "8080"),
        ConfigurationKey(
            "access", .choice(AccessChoice.allCases.map(\.rawValue)), variables: [variable("ACCESS")],
            default: "closed; open with --ephemeral"),
        ConfigurationKey(
            "connections", .whole(1...UInt64(UInt32.max)), variables: [variable("CONNECTIONS")],
            default: "4096, or fewer if few files may be open"),
        ConfigurationKey(
            "no-request-limits", .choice(["true", "false"]), variables: [variable("NO_REQUEST_LIMITS")],
            default: "false"),
        ConfigurationKey(
            "no-telemetry", .choice(["true", "false"]), variables: [variable("NO_TELEMETRY")],
            default: "false"),
        ConfigurationKey(
            "console", .choice(["true", "false"]), variables: [variable("CONSOLE")],
            default: "false; true on an open server of this machine"),
        ConfigurationKey("backups", .path, variables: [variable("BACKUPS")], default: "none"),
        ConfigurationKey("alerts", .text, variables: [variable("ALERTS")], default: "none"),
        ConfigurationKey("alert-webhook", .address, variables: [variable("ALERT_WEBHOOK")], default: "none"),
        ConfigurationKey("alert-command", .path, variables: [variable("ALERT_COMMAND")], default: "none"),
        ConfigurationKey("stop-delay", .whole(0...300), variables: [variable("STOP_DELAY")], default: "0"),
        ConfigurationKey("ready-file", .path, variables: [variable("READY_FILE")], default: "none"),
        ConfigurationKey("person-quota", .text, variables: [variable("PERSON_QUOTA")], default: "5 GB"),
        ConfigurationKey("public-url", .text, variables: [variable("PUBLIC_URL")], default: "none"),
        ConfigurationKey("trusted-proxy", .text, variables: [variable("TRUSTED_PROXY")], default: "none"),
        ConfigurationKey("fallback-url", .text, variables: [variable("FALLBACK_URL")], default: "none"),
        ConfigurationKey("code-command", .path, variables: [variable("CODE_COMMAND")], default: "none"),
        ConfigurationKey(
            "tls-certificate", .path, variables: [variable("TLS_CERTIFICATE")], default: "none"),
        ConfigurationKey("tls-key", .path, variables: [variable("TLS_KEY")], default: "none"),
        ConfigurationKey(
            "log-level", .choice(ServerLog.levels), variables: [variable("LOG_LEVEL")], default: "warning"),
        ConfigurationKey(
            "log-format", .choice(ServerLog.formats), variables: [variable("LOG_FORMAT")], default: "text"),
        ConfigurationKey(
            "log-addresses", .choice(ServerLog.addressForms), variables: [variable("LOG_ADDRESSES")],
            default: "network"),
        ConfigurationKey("apns-key", .path, variables: [variable("APNS_KEY")], default: "none"),
        ConfigurationKey("apns-key-id", .text, variables: [variable("APNS_KEY_ID")], default: "none"),
        ConfigurationKey("apns-team-id", .text, variables: [variable("APNS_TEAM_ID")], default: "none"),
        ConfigurationKey("apns-topic", .text, variables: [variable("APNS_TOPIC")], default: "none"),
        ConfigurationKey("apns-url", .address, variables: [variable("APNS_URL")], default: "Apple's"),
        ConfigurationKey("apns-trust", .path, variables: [variable("APNS_TRUST")], default: "the system's"),
    ]

    private static func variable(_ name: String) -> ConfigurationKey.Variable {
        ConfigurationKey.Variable("CLOUDLET_" + name)
    }

    /// The environment variables of the settings, for the manual page.
    static var variables: [(name: String, text: String)] { ConfigurationKey.variables(of: keys) }

    /// The effective settings.
    ///
    /// - Throws: `ConfigurationError` if a file or variable is invalid.
    static func settings(
        _ flags: [String: String?] = [:], isGrouped: Bool = true
    ) throws -> Settings {
        let folder = URL(
            fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
        let configuration = try Configuration(
            of: "cloudlet", keys: keys, environment: environment, currentFolder: folder, home: home)
        return configuration.settings(flags: flags.compactMapValues { $0 }, isGrouped: isGrouped)
    }

    private static var environment: [String: String] { ProcessInfo.processInfo.environment }
    private static var home: String { UserFolder.home(environment) }

    /// The file of project servers that the person has confirmed.
    static var confirmedServers: ConfirmedServersFile {
        ConfirmedServersFile(of: "cloudlet", environment: environment, home: home)
    }

    /// The files of the settings, each in a line for people.
    static func files(of settings: Settings) -> [String] {
        let file = UserFolder.settings(of: "cloudlet", environment, home: home)
            .appendingPathComponent("cloudlet.conf").path
        let isThere = FileManager.default.fileExists(atPath: file)
        return [
            "the project's file: "
                + (settings.projectFile?.path ?? "none; it would be ./cloudlet.conf or in a folder above"),
            "your file: \(file)" + (isThere ? "" : " (does not exist yet)"),
        ]
    }

    /// The data folder for commands that work on a folder. A server address in the settings is ignored.
    static func dataFolder(_ flag: String?) throws -> String {
        try dataFolder(settings(["data": flag], isGrouped: false))
    }

    /// The data folder of the settings.
    ///
    /// - Throws: `ConfigurationError` if a stranger may have prepared the folder.
    static func dataFolder(_ settings: Settings) throws -> String {
        let folder = settings["data"] ?? "cloudlet-data"
        try settings.checkFolder("data", at: folder)
        return folder
    }
}

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show each setting and its source.",
        discussion: """
            A setting comes from a flag, otherwise from an environment variable (CLOUDLET_PORT for \
            --port, CLOUDLET_URL for --server), otherwise from the project's file, which is \
            cloudlet.conf in the current folder or one above it, otherwise from the user's file \
            ~/.config/cloudlet/cloudlet.conf. The files have lines such as `port = 9090`.

            A project's file may come from a stranger. So it cannot set access, database, assets and its \
            keys, host, public-url, trusted-proxy, fallback-url, code-command, tls-certificate, tls-key, \
            trust-certificate, log-addresses, ready-file, console, backups, no-request-limits, \
            no-telemetry, the settings of alerts and those of Apple's push service. A data folder or \
            operator key that it names must be inside its own folder. A server that it names \
            receives an operator key only after you have confirmed that server for that folder: at a \
            terminal you are asked once, elsewhere use `cloudlet config trust`. The key must come from \
            a flag or from that file, because your variables and your own file are for other servers. \
            The file ~/.local/state/cloudlet/confirmed-servers has one line per confirmed server; \
            delete the line to revoke it.
            """,
        subcommands: [ConfigList.self, ConfigTrust.self]
    )
}

struct ConfigTrust: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Confirm the server that the project's file names, so that it receives credentials.",
        discussion: "Commands in that folder or below it then send the operator's key to that server."
    )

    func run() async throws {
        guard let server = try CommandSettings.settings().projectServer else {
            throw RecordError(
                .notFound, "no file of a project names the server that is used here",
                nextStep: "list the settings and their sources: cloudlet config list")
        }
        try CommandSettings.confirmedServers.add(server)
        Messages.say("confirmed the server \(server.address) for the folder \(server.folder)")
    }
}

struct ConfigList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show each setting and its source."
    )

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let settings = try CommandSettings.settings()
        let rows = settings.rows
        if !json {
            let cells = rows.map { [$0.name, $0.variable ?? "", $0.value, $0.source] }
            return try Listing.table(["SETTING", "VARIABLE", "VALUE", "FROM"], cells, whenEmpty: "")
                .noting(CommandSettings.files(of: settings)).say()
        }
        var json = JSONWriter()
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.member("setting", row.name)
            json.member("variable", row.variable)
            json.member("value", row.value)
            json.member("from", row.source)
            json.endObject()
        }
        json.endArray()
        try StandardOutput.writeJSON(json.bytes)
    }
}
