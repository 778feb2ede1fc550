import ArgumentParser
import CloudletServer
import CommandShell
import Foundation
import Records
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run a server until it is interrupted.",
        discussion: """
            Prints the server's address, then `ready`, when it accepts connections. An interrupt \
            stops it gracefully, a second one immediately. Acknowledged changes are on disk in both \
            cases.
            """
    )

    @OptionGroup var place: ServerPlace

    @Option(
        help: ArgumentHelp(
            "The PostgreSQL database for all data, such as postgresql://cloudlet@localhost/cloudlet.",
            discussion: """
                The role must own the database and must not be a superuser. The data folder keeps \
                telemetry and the files of assets only, unless --assets names an object store for them, \
                and belongs to the database from then on. Several servers, each with a folder of its own, \
                can use one database at the same time. `cloudlet backup` refuses such a folder. A \
                password in the address is visible to other users of the machine in the list of \
                processes: set CLOUDLET_DATABASE instead, or use ~/.pgpass. It needs a build with \
                PostgreSQL. Default: files in the data folder
                """))
    var database: String?

    @OptionGroup var assets: AssetOptions

    @Option(help: "The address to listen on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "The port to listen on; 0 chooses a free port. Default: 8080")
    var port: Int?

    @Flag(
        help: ArgumentHelp(
            "Whether everybody may use the server (open), or only registered people and apps (closed).",
            discussion: """
                Closed: people sign in with passwords, apps need API tokens, and containers must \
                exist; create them with `cloudlet container`, `token` and `user`. Open, for \
                development: everybody who reaches the port can sign in under any name, apps need no \
                token, the first use of a container creates it, and with --ephemeral, faults can be \
                injected. An open server answers only programs of this machine and its own pages; it \
                rejects forwarded requests. Default: closed; open with --ephemeral on an address \
                that only this machine can reach.
                """
        ))
    var access: AccessChoice?

    @Option(
        help: "A file with the server's certificate in PEM; the server then uses TLS.",
        completion: .file())
    var tlsCertificate: String?

    @Option(
        help: "A file with the certificate's private key in PEM, without a passphrase.",
        completion: .file())
    var tlsKey: String?

    @OptionGroup(title: "Behind a proxy") var proxy: ProxyOptions

    @OptionGroup(title: "Links of shares") var sharing: SharingOptions

    @OptionGroup(title: "Log") var log: LogOptions

    @OptionGroup(title: "Alerts") var alerting: AlertOptions

    @OptionGroup(title: "Apple's push service") var applePush: ApplePushOptions

    @Flag(
        help: ArgumentHelp(
            "Let operators sign in to the console, which is at /console.",
            discussion: """
                Operators are added with `cloudlet operator add`; `cloudlet console` prints a link for \
                the administrator. An open server that only this machine can reach has the console \
                without this flag, and nobody has to sign in there.
                """
        ))
    var console = false

    @Option(
        help: "The folder in which administrators make backups on the console's page Maintenance.",
        completion: .directory)
    var backups: String?

    @Option(
        help: "A file to which the server writes its address; it exists while the server is ready.",
        completion: .file())
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "How many seconds the server still answers all requests after the signal to stop. Default: 0",
            discussion: """
                Meanwhile `GET /ready` answers 503, so that a load balancer sends further requests to \
                another server. Then the server closes its port and answers the requests in progress.
                """,
            valueName: "seconds"))
    var stopDelay: Int?

    @Option(
        help: ArgumentHelp(
            "The largest number of simultaneous connections.",
            discussion: """
                Further connections wait until one ends. Each device that listens for pushes keeps \
                one connection. Default: 4096, or fewer if the limit of open files is lower.
                """
        ))
    var connections: Int?

    @Flag(help: "Do not limit the number of requests, nor the size of data (quotas).")
    var noRequestLimits = false

    @Flag(help: "Do not count the requests: no figures for `telemetry`, the console and /metrics.")
    var noTelemetry = false

    @Option(
        help: ArgumentHelp(
            "The size that the private data of each person may have, such as 20GB. Default: 5GB",
            discussion: """
                All containers and files count. `cloudlet user set-quota` gives a person another size \
                while the server runs.
                """
        ))
    var personQuota: String?

    func validate() throws {
        guard (0...Int(UInt16.max)).contains(port ?? 0) else {
            throw ValidationError("--port takes a number from 0 to \(UInt16.max), not \(port ?? 0).")
        }
        if let connections, connections < 1 {
            throw ValidationError("--connections takes a number from 1, not \(connections).")
        }
        if let stopDelay, !(0...300).contains(stopDelay) {
            throw ValidationError(
                "--stop-delay takes a number of seconds from 0 to 300, not \(stopDelay).")
        }
    }

    func run() async throws {
        let settings = try settings()
        let (configuration, access) = try configured(settings)
        let log = LogOptions.log(settings)
        let readyFile = settings["ready-file"]
        // A file that is left from an earlier server could be mistaken for this server's file.
        if let readyFile { unlink(readyFile) }
        let server = try await place.start(configuration, log: log)
        // The signals are trapped before `ready` is printed, so that no later signal is lost.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        defer { if let readyFile { unlink(readyFile) } }
        do {
            try announce(server.url?.absoluteString ?? "", in: readyFile)
        } catch {
            await server.stop()
            throw error
        }
        if configuration.isOpen, configuration.isReachable {
            log.say(
                "warning: other machines can reach \(configuration.host), and everybody there may sign in "
                    + "under any name; to require passwords: --closed", as: .warning)
        }
        if let quota = configuration.limits.quota?.personBytes, quota < 1_000_000 {
            log.say(
                "warning: the private data of each person may have only \(ByteText.of(quota)); to give a "
                    + "unit: --person-quota 20GB", as: .warning)
        }
        log.say("data in \(server.dataFolder.path); \(access); interrupt (Ctrl-C) to stop")
        await stop(server, at: signals, log, settings)
    }

    /// The settings from the flags, the variables and the files.
    private func settings() throws -> Settings {
        let flags: [String: String?] = [
            "database": database, "host": host, "port": port.map(String.init), "access": access?.rawValue,
            "tls-certificate": tlsCertificate, "tls-key": tlsKey, "person-quota": personQuota,
            "connections": connections.map(String.init), "ready-file": readyFile,
            "stop-delay": stopDelay.map(String.init), "no-request-limits": noRequestLimits ? "true" : nil,
            "no-telemetry": noTelemetry ? "true" : nil, "console": console ? "true" : nil,
            "backups": backups,
        ]
        let settings = try CommandSettings.settings(
            flags.merging(proxy.flags) { $1 }.merging(sharing.flags) { $1 }.merging(log.flags) { $1 }
                .merging(applePush.flags) { $1 }.merging(alerting.flags) { $1 }.merging(assets.flags) { $1 })
        try settings.checkNotOfProject(
            [
                "access", "database", "public-url", "trusted-proxy", "host", "tls-certificate", "tls-key",
                "log-addresses", "ready-file", "no-request-limits", "no-telemetry", "fallback-url",
                "code-command", "console", "backups",
            ] + ApplePushOptions.names + AlertOptions.names + AssetOptions.names)
        return settings
    }

    /// The configuration, and a description of who has access and why.
    private func configured(_ settings: Settings) throws -> (ServerConfiguration, access: String) {
        var configuration = try place.configuration
        if settings["no-request-limits"] != "true" { configuration.limits = .hosted }
        configuration.countsRequests = settings["no-telemetry"] != "true"
        if let text = settings["person-quota"] {
            configuration.limits.quota = try quota(text, configuration.limits.quota)
        }
        let (database, assets) = (try DatabaseAddress.of(settings), try AssetOptions.bucket(settings))
        if place.ephemeral, database != nil || assets != nil {
            throw ValidationError(
                "--ephemeral keeps nothing, but \(database != nil ? "--database" : "--assets") would; leave "
                    + "out one of them, also in the environment and in settings files.")
        }
        if !place.ephemeral { (configuration.database, configuration.assets) = (database, assets) }
        configuration.host = settings["host"] ?? "127.0.0.1"
        configuration.port = settings["port"].flatMap(Int.init) ?? 8080
        let choice = settings["access"].flatMap(AccessChoice.init)
        configuration.access = choice?.access ?? .automatic
        configuration.connectionLimit = settings["connections"].flatMap { Int($0) }
        configuration.publicURL = settings["public-url"]
        if settings["console"] == "true" { configuration.console = .on }
        configuration.backups = settings["backups"].map { URL(fileURLWithPath: $0) }
        configuration.alerts = settings["alerts"]
        configuration.alertSender = try AlertOptions.sender(settings)
        configuration.fallbackURL = settings["fallback-url"]
        configuration.codeSender = try SharingOptions.sender(settings["code-command"])
        configuration.trustedProxies = ProxyOptions.proxies(settings["trusted-proxy"])
        configuration.log(LogOptions.log(settings))
        configuration.applePush = try ApplePushOptions.applePush(settings)
        switch (settings["tls-certificate"], settings["tls-key"]) {
        case (let certificate?, let key?):
            configuration.certificate = CertificateFiles(
                certificate: URL(fileURLWithPath: certificate), key: URL(fileURLWithPath: key))
        case (nil, nil): break
        default: throw ValidationError("--tls-certificate and --tls-key belong together; give both.")
        }
        try check(configuration)
        return (configuration, accessDescription(of: configuration, choice))
    }

    /// The quota rules with the size of each person's private data that the text gives.
    private func quota(_ text: String, _ rules: QuotaRules?) throws -> QuotaRules {
        guard let bytes = ByteText.bytes(text) else {
            throw ValidationError("--person-quota takes a size such as 20GB, not \(text).")
        }
        guard var rules else {
            throw ValidationError(
                "--no-request-limits lifts quotas, too; leave out that or --person-quota (`person-quota` in "
                    + "the settings).")
        }
        rules.personBytes = bytes
        return rules
    }

    /// Rejects configurations that are probably mistakes.
    private func check(_ configuration: ServerConfiguration) throws {
        if let path = configuration.backups?.path, Self.isFolder(path) == false {
            throw ValidationError("--backups names the file \(path); name a folder, which may be new.")
        }
        guard configuration.isOpen else { return }
        if configuration.isReachable, access != .open {
            throw ValidationError(
                "Other machines can reach \(configuration.host), and an open server lets everybody in; give "
                    + "--open if that is intended, otherwise --closed.")
        }
        if !configuration.trustedProxies.isEmpty {
            throw ValidationError("An open server rejects forwarded requests; add --closed.")
        }
    }

    /// Whether a folder is at the path; nil if nothing is there.
    private static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return nil }
        return isFolder.boolValue
    }

    /// A description: whether the server is open or closed, the reason, and the consequence.
    private func accessDescription(of configuration: ServerConfiguration, _ choice: AccessChoice?) -> String {
        let reason =
            switch choice {
            case let choice? where access != nil: "--\(choice.rawValue)"
            case let choice?: "access = \(choice.rawValue)"
            case nil where configuration.isOpen: "--ephemeral"
            case nil where place.ephemeral: "other machines can reach \(configuration.host)"
            case nil: "the default"
            }
        return configuration.isOpen
            ? "open (\(reason)): everybody who reaches this port may sign in under any name"
            : "closed (\(reason)): people need passwords, apps need API tokens"
    }

    /// Announces the address and `ready`. A closed standard output is not an error.
    private func announce(_ address: String, in readyFile: String?) throws {
        if let readyFile { try write(address, to: readyFile) }
        do {
            try StandardOutput.write("\(address)\nready\n")
        } catch .closed {
            return
        }
    }

    /// Waits for a signal and stops the server, after the delay in the settings. A second signal ends the
    /// process at once.
    private func stop(
        _ server: CloudletServer, at signals: UnixSignalsSequence, _ log: ServerLog, _ settings: Settings
    ) async {
        let readyFile = settings["ready-file"]
        let delay = settings["stop-delay"].flatMap { Int($0) } ?? 0
        let (first, gate) = AsyncStream.makeStream(of: Never.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var isStopping = false
                for await _ in signals {
                    if isStopping { Self.endAtOnce(log) }
                    isStopping = true
                    if let readyFile { unlink(readyFile) }
                    gate.finish()
                }
            }
            for await _ in first {}
            if delay > 0 {
                server.announceStop()
                log.say(
                    "stopping in \(delay) seconds, and /ready answers 503; interrupt again to end at once")
            } else {
                log.say("stopping: requests in progress are answered first; interrupt again to end at once")
            }
            group.addTask {
                if delay > 0 { try? await Task.sleep(for: .seconds(delay)) }
                await server.stop()
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Ends the process without waiting for any task: the server may wait for requests in progress. The next
    /// server on the folder rolls back their writes.
    private static func endAtOnce(_ log: ServerLog) -> Never {
        log.say("ended at once: requests in progress were not answered", as: .warning)
        _exit(ExitStatus.interrupted.rawValue)
    }

    /// Writes the file atomically, so that a waiting program never reads a part of it.
    private func write(_ address: String, to path: String) throws {
        do {
            try Data((address + "\n").utf8).writeForUser(to: URL(fileURLWithPath: path))
        } catch {
            let reason = Self.isFolder(path) == true ? "it is a folder" : error.localizedDescription
            throw RecordError(
                .notFound, "cannot write the ready file \(path): \(reason)",
                nextStep: "name a file in a folder that you may write: --ready-file FILE")
        }
    }
}

/// `--open` or `--closed`.
enum AccessChoice: String, EnumerableFlag {
    /// For development: everybody who can reach the server has access.
    case open
    /// For hosting: people need passwords and apps need API tokens.
    case closed

    var access: ServerConfiguration.Access {
        switch self {
        case .open: .open
        case .closed: .closed
        }
    }
}
