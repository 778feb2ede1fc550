import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import TestKit

/// A shell with a fixed time, repeatable identifiers, and an ephemeral server in this process.
struct ShellWorld {
    /// 2026-07-04 18:00 UTC.
    static let now = Date(timeIntervalSince1970: 1_783_188_000)
    static let hasThumbnailer = thumbnailer(in: .package) != nil

    /// The configuration of a server that listens on a port, so that other processes of the app can reach it.
    private static var listening: ServerConfiguration {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        configuration.limits.quota = QuotaRules()
        return configuration
    }

    let runner: StatementRunner
    let app: AppSession
    let folder: URL
    /// The delays of the server's answers.
    private let delays: Delays

    /// The session: the person, the device and the container.
    var cloud: CloudSession { app.cloud }

    /// Creates a world, runs `body` with it, and stops its server.
    ///
    /// - Parameters:
    ///   - wrapped: Wraps the transport to the server.
    ///   - wrapsPrograms: Whether the requests of programs that the shell starts pass through the wrapped
    ///     transport, too. Otherwise, these programs reach the server directly.
    static func run<T>(
        isJSON: Bool = false,
        isClosed: Bool = false,
        confirm: (@Sendable (String) throws -> Bool)? = nil,
        ask: @escaping @Sendable (String, Bool) -> String? = { _, _ in nil },
        over wrapped: (any CloudTransport) -> any CloudTransport = { $0 },
        wrapsPrograms: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        _ body: (ShellWorld) async throws -> T
    ) async throws -> T {
        let clock = WorldClock(now)
        let folder = try URL.newFolder()
        var environment = environment(clock, folder, confirm)
        environment.ask = ask
        let present = environment.clockShift.shifting { clock.now }
        var configuration = listening
        configuration.clock = present
        if isClosed { configuration.access = .closed }
        let delays = delay(&configuration, clock)
        let server = try await CloudletServer.start(configuration)
        var access = ServerAccess(
            on: server, description: "a test", assetFolder: folder.appendingPathComponent("assets"),
            now: present)
        access.transport = wrapped(access.transport)
        access.invocation = "clown-central"
        if isClosed { try await admitPaul(to: server, &access) }
        let reached = access
        let gateway = wrapsPrograms ? access.transport : nil
        let result: Result<T, any Error>
        do {
            result = .success(
                try await ProgramGateway.run(over: gateway) { address in
                    var access = reached
                    if let address { access.address = address }
                    let world = ShellWorld(access, environment, folder, delays, isJSON: isJSON)
                    return try await world.runner.withBackgroundWork { try await body(world) }
                })
        } catch {
            result = .failure(error)
        }
        await server.stop()
        folder.remove()
        return try result.get()
    }

    private init(
        _ access: ServerAccess, _ environment: ShellEnvironment, _ folder: URL, _ delays: Delays, isJSON: Bool
    ) {
        let cloud = CloudSession(
            with: access, container: ClownCentralApp.container, device: "phone",
            devicesFolder: folder.appendingPathComponent("devices"), in: environment)
        app = AppSession(
            cloud, seedFolder: .success(URL.package.appendingPathComponent("Data/Seeds")),
            thumbnailer: Self.thumbnailer(in: folder))
        runner = StatementRunner(program: ClownCentralProgram(app), environment: environment, isJSON: isJSON)
        self.folder = folder
        self.delays = delays
    }

    /// Sets how the server delays answers: a slow answer advances the world's clock, so that a request can
    /// time out.
    private static func delay(_ configuration: inout ServerConfiguration, _ clock: WorldClock) -> Delays {
        let pause = configuration.pause
        let delays = Delays { try await pause(.seconds($0)) }
        configuration.pause = { duration in
            try await delays.wait(duration)
            clock.advance(bySeconds: duration / .seconds(1))
        }
        return delays
    }

    /// Ends the delays of the server's answers: those that wait fail now, and later ones at once.
    func endDelays() { delays.end() }

    private static func environment(
        _ clock: WorldClock, _ folder: URL, _ confirm: (@Sendable (String) throws -> Bool)?
    ) -> ShellEnvironment {
        var environment = ShellEnvironment(
            now: { now }, baseFolder: .package, workFolder: folder, home: folder.path,
            favourites: FavouriteFile(of: ClownCentralApp.names, environment: [:], home: folder.path))
        environment.wallClock = { clock.now }
        environment.pause = { seconds in
            clock.advance(bySeconds: seconds)
            // Background work can run while a command repeats itself.
            await Task.yield()
        }
        environment.confirm = confirm
        environment.executable = (try? Program.path("clown-central")).map { URL(fileURLWithPath: $0) }
        return environment
    }

    /// Gives the app a token for a closed server, and adds the person paul with the password "correct horse".
    private static func admitPaul(to server: CloudletServer, _ access: inout ServerAccess) async throws {
        try await server.apps.createContainer(ClownCentralApp.container)
        try await server.people.add(Account("paul"), password: "correct horse")
        access.apiToken = try await server.apps.addAPIToken(
            container: ClownCentralApp.container, label: "test")
    }

    /// Runs lines and returns their outcomes.
    @discardableResult
    func type(_ lines: String...) async -> [StatementOutcome] {
        var outcomes: [StatementOutcome] = []
        for line in lines { outcomes.append(await runner.run(line)) }
        return outcomes
    }

    /// The completion candidates for a kind.
    func names(
        of kind: ValueKind, beginningWith typed: String = "", after words: [String] = []
    ) async -> [Candidate] {
        await runner.candidates(for: kind, beginningWith: typed, after: words)
    }

    /// The text of the prompt.
    var prompt: String { get async { await runner.program.prompt } }

    /// A container for the current person on another device.
    func container(on device: String) async -> CKContainer {
        let context = await cloud.context
        return cloud.server.container(in: context.place, context.account?.session, device: device)
    }

    /// Runs one line and returns its standard output.
    func data(_ line: String) async -> String {
        await runner.run(line).rendering.data
    }

    private static func thumbnailer(in folder: URL) -> Thumbnailer? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return Thumbnailer(folder: folder.appendingPathComponent("thumbnails"), searchPath: path)
    }
}
