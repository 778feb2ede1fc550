import Cloudlet
package import CloudletServer
public import CommandShell
public import Foundation

/// The server that a shell uses.
public enum ServerChoice: Sendable {
    /// A remote server.
    case remote(URL)
    /// A server in this process with its data in a folder; nil for the default folder.
    case embedded(URL?)
    /// A server in this process that deletes its data at the end.
    case ephemeral
}

/// A running server and the function to stop it.
public struct HostedServer: Sendable {
    /// The connection to the server.
    public let access: ServerAccess
    private let server: CloudletServer?
    private let isTemporary: Bool
    private let delays: Delays?

    /// Starts a server in this process, or creates the connection to a remote one. Prints the data folder of
    /// an embedded server with `environment.message`.
    ///
    /// - Parameters:
    ///   - names: The names of the program that starts it.
    ///   - seed: The seed for the identifiers of an ephemeral server.
    ///   - allowsPlainHTTP: Whether the operator's key may be sent over plain HTTP to another machine.
    ///   - trustedCertificates: A PEM file with the certificates to trust in place of the system's; nil for
    ///     the system's.
    public static func open(
        _ choice: ServerChoice, of names: ProgramNames, in environment: ShellEnvironment, seed: UInt64?,
        allowsPlainHTTP: Bool = false, trustedCertificates: URL? = nil
    ) async throws -> HostedServer {
        let assets = environment.workFolder.appendingPathComponent("assets", isDirectory: true)
        var configuration: ServerConfiguration
        var description = "embedded, until the end of this process"
        switch choice {
        case .remote(let url):
            let transport =
                try trustedCertificates.map { try HTTPTransport(url: url, trustingCertificatesIn: $0) }
                ?? HTTPTransport(url: url)
            var access = remote(url, transport, environment, assets, allowsPlainHTTP: allowsPlainHTTP)
            access.invocation = names.invocation
            access.trustedCertificates = trustedCertificates
            return HostedServer(access: access, server: nil, isTemporary: false, delays: nil)
        case .ephemeral:
            configuration = .ephemeral
            configuration.seed = seed
            // The server listens, so that other processes of the app can reach it, too.
            configuration.port = 0
        case .embedded(let folder):
            let folder = folder ?? names.dataFolder(environment.variables)
            environment.message("data: \(folder.path)\n")
            configuration = ServerConfiguration(storage: .folder(folder))
            description = "embedded, data in \(folder.path), for this process only"
        }
        let delays = Delays(pause: environment.wallPause)
        // People sign in by name in the shell.
        configuration.access = .open
        configuration.clock = environment.now
        configuration.limits.quota = QuotaRules()
        configuration.pause = { try await delays.wait($0) }
        let server = try await start(configuration, names)
        var access = ServerAccess(
            on: server, description: description, assetFolder: assets, now: environment.now)
        access.invocation = names.invocation
        let isTemporary = if case .ephemeral = choice { true } else { false }
        return HostedServer(access: access, server: server, isTemporary: isTemporary, delays: delays)
    }

    private static func remote(
        _ url: URL, _ transport: HTTPTransport, _ environment: ShellEnvironment, _ assets: URL,
        allowsPlainHTTP: Bool
    ) -> ServerAccess {
        var access = ServerAccess(
            transport: transport, description: url.absoluteString, assetFolder: assets,
            now: environment.now, address: url)
        guard let key = environment.operatorKey else { return access }
        access.keyObjection = CredentialRule.objection(toKeyAt: url, allowsPlainHTTP: allowsPlainHTTP)
        if access.keyObjection == nil { access.operatorKey = key }
        return access
    }

    /// The folder to delete when there is no time to stop the server; nil for a server whose data is kept.
    public var temporaryFolder: URL? {
        isTemporary ? access.dataFolder : nil
    }

    /// Stops an embedded server.
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
            throw ShellError(
                code: "serverNotStarted", message: error.reason, remedy: remedy(error, configuration, names))
        }
    }

    /// The remedy for an error. If the folder is in use by a server that listens, that server can be used.
    private static func remedy(
        _ error: ServerError, _ configuration: ServerConfiguration, _ names: ProgramNames
    ) -> String {
        guard error.code == .folderInUse, case .folder(let folder) = configuration.storage else {
            return error.nextStep
        }
        let url = OperatorAccess(dataFolder: folder).url
        return url.map { "\(names.invocation) --server \($0.absoluteString)" }
            ?? "end the other shell, then share the folder: cloudlet serve --data "
            + "\(Quoting.quoted(folder.path)) --open, and in each shell: \(names.invocation) --server "
            + "http://127.0.0.1:8080; or use other data now: --ephemeral"
    }
}

extension ShellEnvironment {
    /// The operator's key for a remote server, from the file that a variable names.
    fileprivate var operatorKey: String? {
        let text = variables["CLOUDLET_OPERATOR_KEY_FILE"].flatMap {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension ProgramNames {
    /// The default folder of a program's server.
    public func dataFolder(_ variables: [String: String]) -> URL {
        let home = UserFolder.home(variables) + "/.local/share"
        let data = variables["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home
        return URL(fileURLWithPath: data + "/" + name, isDirectory: true)
    }
}

extension ServerAccess {
    /// The access to a server in this process.
    package init(
        on server: CloudletServer, description: String, assetFolder: URL,
        now: @escaping @Sendable () -> Date
    ) {
        self.init(
            transport: server.transport, description: description, assetFolder: assetFolder, now: now,
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
