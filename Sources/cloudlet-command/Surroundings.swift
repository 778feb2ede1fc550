import ArgumentParser
import CommandShell
import Foundation
import Records
import RecordsWire

/// The settings of the command line tool, from flags, environment variables and configuration files.
enum Surroundings {
    private static let place = "place"

    /// The settings, in the order of `config list`.
    private static let keys: [ConfigurationKey] = [
        ConfigurationKey(
            "server", .address, variables: [ConfigurationKey.Variable("CLOUDLET_URL")], usual: "none",
            group: place),
        ConfigurationKey(
            "data", .path, variables: [variable("DATA")], usual: "./cloudlet-data", group: place),
        ConfigurationKey(
            "operator-key-file", .path, variables: [variable("OPERATOR_KEY_FILE")], usual: "none",
            isCredential: true),
        ConfigurationKey("container", .text, variables: [variable("CONTAINER")], usual: "none"),
        ConfigurationKey(
            "environment", .choice(EnvironmentOption.Environment.allCases.map(\.rawValue)),
            variables: [variable("ENVIRONMENT")], usual: "development"),
        ConfigurationKey("host", .text, variables: [variable("HOST")], usual: "127.0.0.1"),
        ConfigurationKey(
            "port", .whole(0...UInt64(UInt16.max)), variables: [variable("PORT")], usual: "8080"),
        ConfigurationKey(
            "access", .choice(AccessChoice.allCases.map(\.rawValue)), variables: [variable("ACCESS")],
            usual: "closed; open with --ephemeral"),
        ConfigurationKey("public-url", .text, variables: [variable("PUBLIC_URL")], usual: "none"),
        ConfigurationKey("trusted-proxy", .text, variables: [variable("TRUSTED_PROXY")], usual: "none"),
        ConfigurationKey(
            "tls-certificate", .path, variables: [variable("TLS_CERTIFICATE")], usual: "none"),
        ConfigurationKey("tls-key", .path, variables: [variable("TLS_KEY")], usual: "none"),
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
        commandName: "config", abstract: "Show the settings, and where each is from.",
        discussion: """
            What a flag sets, a variable of the environment can set, too (CLOUDLET_PORT for --port, \
            CLOUDLET_URL for --server), and so can cloudlet.conf in the present folder or one around it, and \
            ~/.config/cloudlet/cloudlet.conf, with lines such as `port = 9090`. Flags count most, then \
            variables, then the project's file, then the person's.

            A project's file may come from a stranger. For serve, it does not set access, host, public-url \
            or trusted-proxy; a data folder that it names lies in its own folder. It names an \
            operator's key in its own folder only, and a server that it names gets a key only \
            once you have confirmed that server for that folder: at a terminal you are asked \
            once, elsewhere `cloudlet config trust` does it. The key must \
            be one that a flag or that file names, since those of your variables and your own file \
            are for other servers. What was confirmed is in ~/.local/state/cloudlet/confirmed-servers, a \
            line each; without its line, a server is confirmed no more.
            """,
        subcommands: [ConfigList.self, ConfigTrust.self]
    )
}

struct ConfigTrust: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Let the server that the project's file names have credentials.",
        discussion: "From then on, commands in that folder or below it send that server the operator's key."
    )

    func run() async throws {
        guard let server = try Surroundings.settings().projectServer else {
            throw RecordError(
                .notFound, "no server here comes from the file of a project",
                nextStep: "list the settings and their sources: cloudlet config list")
        }
        try Surroundings.confirmedServers.add(server)
        Talk.say("confirmed the server \(server.address) for the folder \(server.folder)")
    }
}

struct ConfigList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the settings, and where each is from."
    )

    @Flag(help: "Print JSON; errors too, on standard error.")
    var json = false

    func run() async throws {
        let rows = try Surroundings.settings().rows
        if !json {
            let cells = rows.map { [$0.name, $0.value, $0.source] }
            return try Listing.table(["SETTING", "VALUE", "FROM"], cells, whenEmpty: "").say()
        }
        var json = JSONWriter()
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.member("setting", row.name)
            json.member("value", row.value)
            json.member("from", row.source)
            json.endObject()
        }
        json.endArray()
        try StandardOutput.writeJSON(json.bytes)
    }
}
