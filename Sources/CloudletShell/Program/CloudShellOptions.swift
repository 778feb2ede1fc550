public import CommandShell
public import Foundation

/// The options with which a shell with a server starts.
public struct CloudShellOptions: Sendable {
    /// The options of every shell.
    public var shell = ShellOptions()
    /// The server to use.
    public var server: ServerChoice = .embedded(nil)
    /// The container of the commands.
    public var container: String
    /// The person to sign in at the start; nil for nobody.
    public var person: String?
    /// The app's API token, for servers that require one.
    public var apiToken: String?
    /// Whether the operator's key may be sent over plain HTTP to another machine.
    public var allowsPlainHTTP = false
    /// A PEM file with the certificates to trust in place of the system's; nil for the system's.
    public var trustedCertificates: URL?
    /// The device at the start.
    public var device: String = "terminal"
    /// The folder for the data of devices; nil for a folder beside the server's data.
    public var devices: URL?

    /// The settings of the app that pushes need.
    public var pushSetup = PushSetup()
    /// Whether the app declares that it supports sharing; without that, it cannot accept shares.
    public var supportsSharing = true

    /// Creates options with their defaults.
    public init(container: String) { self.container = container }

    /// Opens the server (`HostedServer.open`), and creates the program for it.
    ///
    /// ```swift
    /// let code = await Shell(names, machine: machine).run(options.shell) { environment in
    ///     try await options.open(names, in: environment) { CloudProgram(names, session: $0, build: "") }
    /// }
    /// ```
    public func open(
        _ names: ProgramNames, in environment: ShellEnvironment,
        _ make: (CloudSession) -> any ShellProgram
    ) async throws -> RunningProgram {
        let host = try await HostedServer.open(
            server, of: names, in: environment, seed: shell.seed, allowsPlainHTTP: allowsPlainHTTP,
            trustedCertificates: trustedCertificates)
        var access = host.access
        access.apiToken = apiToken
        let session = CloudSession(
            with: access, container: container, device: device,
            devicesFolder: devices ?? devicesFolder(names, environment), in: environment,
            pushSetup: pushSetup, supportsSharing: supportsSharing)
        if shell.isVerbose { session.watchRequests({ environment.message($0 + "\n") }, isJSON: shell.isJSON) }
        let person = person.map { "as \(Quoting.name($0) ?? Quoting.quoted($0))" }
        return RunningProgram(
            make(session), firstCommands: [person].compactMap(\.self),
            temporaryFolders: [host.temporaryFolder].compactMap(\.self), close: { await host.close() })
    }

    /// The default folder for the data of devices: beside the server's data, and with the same lifetime.
    private func devicesFolder(_ names: ProgramNames, _ environment: ShellEnvironment) -> URL {
        let defaultFolder = names.dataFolder(environment.variables)
        switch server {
        case .ephemeral: return environment.workFolder.appendingPathComponent("devices", isDirectory: true)
        case .embedded(let folder):
            return names.devicesFolder(beside: folder ?? defaultFolder)
        case .remote(let url):
            return names.devicesFolder(beside: defaultFolder)
                .appendingPathComponent(ServerAccess.escaped("\(url.host ?? "")-\(url.port ?? 80)"))
        }
    }
}
