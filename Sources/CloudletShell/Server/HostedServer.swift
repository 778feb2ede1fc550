import Cloudlet
package import CloudletServer
public import CommandShell
public import Foundation

/// Which server answers a shell.
public enum ServerChoice: Sendable {
    /// A server elsewhere.
    case remote(URL)
    /// A server in this process that keeps its data in a folder; the usual one if none is named.
    case embedded(URL?)
    /// A server in this process that forgets everything at the end.
    case ephemeral
}

/// A server that is ready, and how to part from it.
public struct HostedServer: Sendable {
    /// How to speak to it.
    public let access: ServerAccess
    private let server: CloudletServer?
    private let isTemporary: Bool
    private let delays: Delays?

    /// Starts or reaches a server; `environment.talk` hears where the data lies.
    ///
    /// - Parameters:
    ///   - names: The program that starts it.
    ///   - seed: What the identifiers of an ephemeral server come from.
    ///   - allowsPlainHTTP: Whether the operator's key may go over plain http to another machine.
    public static func open(
        _ choice: ServerChoice, of names: ProgramNames, in environment: ShellEnvironment, seed: UInt64?,
        allowsPlainHTTP: Bool = false
    ) async throws -> HostedServer {
        let assets = environment.workFolder.appendingPathComponent("assets", isDirectory: true)
        var configuration: ServerConfiguration
        var place = "embedded, until the end of this process"
        switch choice {
        case .remote(let url):
            var access = remote(url, environment, assets, allowsPlainHTTP: allowsPlainHTTP)
            access.invocation = names.invocation
            return HostedServer(access: access, server: nil, isTemporary: false, delays: nil)
        case .ephemeral:
            configuration = .ephemeral
            configuration.seed = seed
            // So that other processes of the app can reach it, too.
            configuration.port = 0
        case .embedded(let folder):
            let folder = folder ?? names.dataFolder(environment.variables)
            environment.talk("data: \(folder.path)\n")
            configuration = ServerConfiguration(storage: .folder(folder))
            place = "embedded, data in \(folder.path), for this process only"
        }
        let delays = Delays(pause: environment.wallPause)
        // People of the shell sign in by name.
        configuration.access = .open
        configuration.clock = environment.now
        configuration.limits.quota = QuotaRules()
        configuration.pause = { try await delays.wait($0) }
        let server = try await start(configuration, names)
        var access = ServerAccess(on: server, place: place, assetFolder: assets, now: environment.now)
        access.invocation = names.invocation
        let isTemporary = if case .ephemeral = choice { true } else { false }
        return HostedServer(access: access, server: server, isTemporary: isTemporary, delays: delays)
    }

    private static func remote(
        _ url: URL, _ environment: ShellEnvironment, _ assets: URL, allowsPlainHTTP: Bool
    ) -> ServerAccess {
        var access = ServerAccess(
            transport: HTTPTransport(url: url), place: url.absoluteString, assetFolder: assets,
            now: environment.now, address: url)
        guard let key = environment.operatorKey else { return access }
        access.keyObjection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: allowsPlainHTTP)
        if access.keyObjection == nil { access.operatorKey = key }
        return access
    }

    /// What to remove when there is no time to end the server; the data of a folder that was named stays.
    public var temporaryFolder: URL? {
        isTemporary ? access.dataFolder : nil
    }

    /// Ends an embedded server.
    public func close() async {
        delays?.end()
        await server?.stop()
    }

    private static func start(
        _ configuration: ServerConfiguration, _ names: ProgramNames
    ) async throws -> CloudletServer {
        do {
            return try await CloudletServer.start(configuration)
        } catch let error as ServerError {
            throw Complaint(
                code: "serverNotStarted", message: error.reason, remedy: remedy(error, configuration, names))
        }
    }

    /// A folder in use has a server that can be spoken to, if it listens.
    private static func remedy(
        _ error: ServerError, _ configuration: ServerConfiguration, _ names: ProgramNames
    ) -> String {
        guard error.code == .folderInUse, case .folder(let folder) = configuration.storage else {
            return error.nextStep
        }
        let url = OperatorAccess(dataFolder: folder).url
        return url.map { "\(names.invocation) --server \($0.absoluteString)" }
            ?? "cloudlet serve --data \(Quoting.quoted(folder.path)) --open, once the other shell has ended; "
            + "then any number of \(names.invocation) --server http://127.0.0.1:8080; or now, with other "
            + "data, --ephemeral"
    }
}

extension ShellEnvironment {
    /// The key that opens the operator's calls of a server elsewhere, if a variable names its file.
    fileprivate var operatorKey: String? {
        let text = variables["CLOUDLET_OPERATOR_KEY_FILE"].flatMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension ProgramNames {
    /// Where a program keeps its server's data when nobody says where.
    public func dataFolder(_ variables: [String: String]) -> URL {
        let home = UserFolder.home(variables) + "/.local/share"
        let data = variables["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
        return URL(fileURLWithPath: data + "/" + name, isDirectory: true)
    }
}

extension ServerAccess {
    /// A server in this process.
    package init(
        on server: CloudletServer, place: String, assetFolder: URL, now: @escaping @Sendable () -> Date
    ) {
        self.init(
            transport: server.transport, place: place, assetFolder: assetFolder, now: now,
            address: server.url)
        dataFolder = server.dataFolder
        operatorKey = server.operatorKey
        registerServerKey = { publicKey, place in
            try await server.apps.addServerKey(
                container: place.container,
                environment: place.environment == .production ? .production : .development,
                label: "imports", publicKey: publicKey)
        }
    }
}
