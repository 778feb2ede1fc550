public import CommandShell
public import Foundation

/// How a shell with a server starts.
public struct CloudShellOptions: Sendable {
    /// What every shell can be asked for.
    public var shell = ShellOptions()
    /// Which server answers.
    public var server: ServerChoice = .embedded(nil)
    /// The container that commands go to.
    public var container: String
    /// Who is signed in at the start; nobody if nil.
    public var person: String?
    /// The token that lets the app in where the server wants one.
    public var apiToken: String?
    /// Whether the operator's key may go over plain http to another machine.
    public var allowsPlainHTTP = false
    /// The device at the start.
    public var device: String = "terminal"
    /// Where devices keep what they have of people's data; beside the server's data if nil.
    public var devices: URL?

    /// The options of a shell that was started without any.
    public init(container: String) { self.container = container }

    /// Starts or reaches the server, and makes a program for it.
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
            server, of: names, in: environment, seed: shell.seed, allowsPlainHTTP: allowsPlainHTTP)
        var access = host.access
        access.apiToken = apiToken
        let session = CloudSession(
            with: access, container: container, device: device,
            devicesFolder: devices ?? devicesFolder(names, environment), in: environment)
        if shell.isVerbose { session.watchRequests({ environment.talk($0 + "\n") }, isJSON: shell.isJSON) }
        let person = person.map { "as \(Quoting.name($0) ?? Quoting.quoted($0))" }
        return RunningProgram(
            make(session), firstCommands: [person].compactMap(\.self),
            temporaryFolders: [host.temporaryFolder].compactMap(\.self), close: { await host.close() })
    }

    /// Where devices keep their data when nobody says where: beside that of the server, and as long.
    private func devicesFolder(_ names: ProgramNames, _ environment: ShellEnvironment) -> URL {
        let usual = names.dataFolder(environment.variables)
        switch server {
        case .ephemeral: return environment.workFolder.appendingPathComponent("devices", isDirectory: true)
        case .embedded(let folder):
            return URL(fileURLWithPath: (folder ?? usual).path + "-devices", isDirectory: true)
        case .remote(let url):
            return URL(fileURLWithPath: usual.path + "-devices", isDirectory: true)
                .appendingPathComponent(ServerAccess.escaped("\(url.host ?? "")-\(url.port ?? 80)"))
        }
    }
}
