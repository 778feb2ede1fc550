// Owns the server behind a shell: one in this process, or one elsewhere.
import Cloudlet
import CloudletServer
import CommandText
import Foundation

/// A server that is ready, and how to part from it.
struct Host: Sendable {
    let site: Site
    private let server: CloudletServer?
    private let isTemporary: Bool
    private let delays: Delays?

    /// Starts or reaches the server that the options name; `talk` hears where the data lies.
    static func open(
        _ choice: ShellOptions.Server,
        machine: Machine,
        now: @escaping @Sendable () -> Date,
        seed: UInt64?,
        allowsPlainHTTP: Bool = false,
        talk: (String) -> Void
    ) async throws -> Host {
        let assets = machine.workFolder.appendingPathComponent("assets", isDirectory: true)
        var configuration: ServerConfiguration
        var place = "embedded, until the end of this process"
        switch choice {
        case .remote(let url):
            return Host(
                site: remote(url, machine, assets, now, allowsPlainHTTP: allowsPlainHTTP), server: nil,
                isTemporary: false, delays: nil)
        case .ephemeral:
            configuration = .ephemeral
            configuration.seed = seed
            // So that other processes of the app can reach it, too.
            configuration.port = 0
        case .embedded(let folder):
            let folder = folder ?? machine.defaultDataFolder
            talk("data: \(folder.path)\n")
            configuration = ServerConfiguration(storage: .folder(folder))
            place = "embedded, data in \(folder.path), for this process only"
        }
        let delays = Delays(pause: machine.pause)
        // People of the shell sign in by name.
        configuration.access = .open
        configuration.clock = now
        configuration.limits.quota = QuotaRules()
        configuration.pause = { try await delays.wait($0) }
        let server = try await start(configuration)
        let site = Site(on: server, place: place, assetFolder: assets, now: now)
        let isTemporary = if case .ephemeral = choice { true } else { false }
        return Host(site: site, server: server, isTemporary: isTemporary, delays: delays)
    }

    private static func remote(
        _ url: URL, _ machine: Machine, _ assets: URL, _ now: @escaping @Sendable () -> Date,
        allowsPlainHTTP: Bool
    ) -> Site {
        var site = Site(
            transport: HTTPTransport(url: url), place: url.absoluteString, assetFolder: assets, now: now,
            address: url)
        guard let key = machine.operatorKey else { return site }
        site.keyObjection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: allowsPlainHTTP)
        if site.keyObjection == nil { site.operatorKey = key }
        return site
    }

    /// What to remove when there is no time to end the server; the data of a folder that was named stays.
    var temporaryFolder: URL? {
        isTemporary ? site.dataFolder : nil
    }

    /// Ends an embedded server.
    func close() async {
        delays?.end()
        await server?.stop()
    }

    private static func start(_ configuration: ServerConfiguration) async throws -> CloudletServer {
        do {
            return try await CloudletServer.start(configuration)
        } catch let error as ServerError {
            throw Complaint(
                code: "serverNotStarted", message: error.reason, remedy: remedy(error, configuration))
        }
    }

    /// A folder in use has a server that can be spoken to, if it listens.
    private static func remedy(_ error: ServerError, _ configuration: ServerConfiguration) -> String {
        guard error.code == .folderInUse, case .folder(let folder) = configuration.storage else {
            return error.nextStep
        }
        let url = OperatorAccess(dataFolder: folder).url
        return url.map { "clown-central --server \($0.absoluteString)" }
            ?? "cloudlet serve --data \(Quoting.quoted(folder.path)) --open, once the other shell has ended; "
            + "then any number of clown-central --server http://127.0.0.1:8080; or now, with other data, "
            + "--ephemeral"
    }
}

extension Site {
    /// A server in this process.
    init(
        on server: CloudletServer, place: String, assetFolder: URL, now: @escaping @Sendable () -> Date
    ) {
        self.init(
            transport: server.transport,
            place: place,
            assetFolder: assetFolder,
            now: now,
            dataFolder: server.dataFolder,
            registerServerKey: { publicKey, place in
                try await server.apps.addServerKey(
                    container: place.container,
                    environment: place.environment == .production ? .production : .development,
                    label: "imports", publicKey: publicKey)
            },
            address: server.url,
            operatorKey: server.operatorKey
        )
    }
}
