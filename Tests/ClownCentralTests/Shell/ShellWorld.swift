// Owns a shell with a server of its own, for tests.
import Cloudlet
import CloudletServer
import Foundation
import Synchronization

@testable import ClownCentral

/// A shell at a fixed moment, with repeatable identifiers, against an ephemeral server in this process.
struct ShellWorld {
    /// 2026-07-04 18:00 UTC.
    static let now = Date(timeIntervalSince1970: 1_783_188_000)
    /// The folder of the package.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    static let hasThumbnailer = thumbnailer(in: package) != nil

    /// A server that the app's other processes reach, too.
    private static var listening: ServerConfiguration {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        return configuration
    }

    /// The app's program, which stands beside the tests.
    private static var program: URL? {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent("clown-central")
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            folder.deleteLastPathComponent()
        }
        return nil
    }

    let runner: StatementRunner
    let folder: URL

    /// A clock that stands still until a command waits.
    private final class Clock: Sendable {
        private let date = Mutex(ShellWorld.now)

        var now: Date { date.withLock { $0 } }

        func advance(_ seconds: TimeInterval) { date.withLock { $0.addTimeInterval(seconds) } }
    }

    /// Makes a world, lets `body` live in it, and takes it down.
    static func run<T>(
        isJSON: Bool = false,
        isClosed: Bool = false,
        confirm: (@Sendable (String) throws -> Bool)? = nil,
        over wrapped: (any CloudTransport) -> any CloudTransport = { $0 },
        isolation: isolated (any Actor)? = #isolation,
        _ body: (ShellWorld) async throws -> T
    ) async throws -> T {
        let clock = Clock()
        var configuration = listening
        configuration.clock = { clock.now }
        configuration.limits.quota = QuotaRules()
        if isClosed { configuration.access = .closed }
        let server = try await CloudletServer.start(configuration)
        let unique = ProcessInfo.processInfo.globallyUniqueString
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("clown-tests-\(unique)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var site = Site(
            on: server, place: "a test", assetFolder: folder.appendingPathComponent("assets"),
            now: { clock.now })
        site.transport = wrapped(site.transport)
        if isClosed { try await admitPaul(to: server, &site) }
        let tools = tools(clock, folder, confirm)
        let interpreter = Interpreter(site: site, tools: tools, device: "phone", seed: 1)
        let renderer = Renderer(isJSON: isJSON)
        let runner = StatementRunner(interpreter: interpreter, renderer: renderer, now: { now })
        let result: Result<T, any Error>
        do {
            result = .success(
                try await runner.living { try await body(ShellWorld(runner: runner, folder: folder)) })
        } catch {
            result = .failure(error)
        }
        await server.stop()
        try? FileManager.default.removeItem(at: folder)
        return try result.get()
    }

    private static func tools(
        _ clock: Clock, _ folder: URL, _ confirm: (@Sendable (String) throws -> Bool)?
    ) -> Tools {
        Tools(
            now: { now },
            baseFolder: package,
            workFolder: folder,
            seedFolder: .success(package.appendingPathComponent("Data/Seeds")),
            thumbnailer: thumbnailer(in: folder),
            talk: { _ in },
            confirm: confirm,
            home: folder.path,
            pause: { clock.advance($0) },
            password: nil,
            ask: { _, _ in nil },
            program: program,
            devices: folder.appendingPathComponent("devices"),
            wallClock: { clock.now },
            favourites: FavouriteFile(environment: [:], home: folder.path)
        )
    }

    /// Lets the app in to a closed server, and makes a person there whose password is "correct horse".
    private static func admitPaul(to server: CloudletServer, _ site: inout Site) async throws {
        try await server.apps.createContainer(Site.containerIdentifier)
        try await server.people.add(Account("paul"), password: "correct horse")
        site.apiToken = try await server.apps.addAPIToken(
            container: Site.containerIdentifier, label: "test")
    }

    /// Runs lines and answers what each printed.
    @discardableResult
    func type(_ lines: String...) async -> [StatementOutcome] {
        var outcomes: [StatementOutcome] = []
        for line in lines { outcomes.append(await runner.run(line)) }
        return outcomes
    }

    /// Runs one line and answers what it printed on standard output.
    func data(_ line: String) async -> String {
        await runner.run(line).rendering.data
    }

    private static func thumbnailer(in folder: URL) -> Thumbnailer? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        return Thumbnailer(folder: folder.appendingPathComponent("thumbnails"), searchPath: path)
    }
}
