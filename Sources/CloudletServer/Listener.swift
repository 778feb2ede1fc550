import CloudHTTP
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServerData
import ServiceLifecycle

/// An HTTP server that runs until it is stopped.
final class Listener: Sendable {
    let url: URL
    private let group: ServiceGroup
    /// The task that runs the service group; owned by this listener and awaited by `stop`.
    private let run: Task<Void, any Error>

    /// How long requests in progress may continue after `stop` was called. After that they are cancelled.
    static let shutdownTimeout = Duration.seconds(30)

    private init(url: URL, group: ServiceGroup, run: Task<Void, any Error>) {
        self.url = url
        self.group = group
        self.run = run
    }

    /// Starts listening, and returns when connections are accepted.
    static func start(
        responder: CloudResponder, host: String, port: Int, encryption: Encryption?, cap: ConnectionCap,
        builder: HTTPServerBuilder, logger: Logger
    ) async throws -> Listener {
        try check(port, of: host)
        let server = try encryption?.applied(to: builder)
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: responder, server: server ?? builder,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port), backlog: 1024, availableConnectionsDelegate: cap),
            onServerRunning: { channel in
                // Best effort: by default the library accepts four connections at a time.
                try? await channel.setOption(.maxMessagesPerRead, value: UInt(cap.atOnce)).get()
                continuation.yield(channel.localAddress?.port ?? port)
            },
            logger: Logger(label: logger.label) { _ in LateLogHandler(logger.handler) }
        )
        let group = group(of: application, logger)
        let executor = LoopExecutor(MultiThreadedEventLoopGroup.singleton)
        let run = Task(executorPreference: executor) {
            defer { continuation.finish() }
            try await group.run()
        }
        for await bound in ports {
            let scheme = encryption == nil ? "http" : "https"
            if let url = URL(string: "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(bound)") {
                return Listener(url: url, group: group, run: run)
            }
            break
        }
        await group.triggerGracefulShutdown()
        if Task.isCancelled {
            _ = await run.result
            throw CancellationError()
        }
        let (reason, nextStep) = await reason(of: run, host)
        throw ServerError(
            .addressUnavailable, "cannot listen on \(host):\(port): \(reason)", nextStep: nextStep)
    }

    private static func group(of application: any Service, _ logger: Logger) -> ServiceGroup {
        var services = ServiceGroupConfiguration(services: [application], logger: logger)
        services.maximumGracefulShutdownDuration = shutdownTimeout
        return ServiceGroup(configuration: services)
    }

    private static func check(_ port: Int, of host: String) throws(ServerError) {
        if (0...Int(UInt16.max)).contains(port) { return }
        throw ServerError(
            .addressUnavailable, "cannot listen on \(host):\(port): the port is out of range",
            nextStep: "choose a port from 1 to \(UInt16.max), or 0 for a free one"
        )
    }

    /// The reason why the server could not listen, and the next step.
    private static func reason(
        of run: Task<Void, any Error>, _ host: String
    ) async -> (reason: String, nextStep: String) {
        let port = "choose another port, or 0 for a free one"
        let address = "choose an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them"
        guard case .failure(let error) = await run.result else {
            return ("the server stopped immediately", port)
        }
        if error is SocketAddressError || error is SocketAddressError.UnknownHost {
            return ("the host \(host) is unknown", address)
        }
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: return ("another program listens on it already", port)
        case EADDRNOTAVAIL: return ("\(host) is not an address of this machine", address)
        case EACCES: return ("this user may not listen on it", "choose a port from 1024, or 0 for a free one")
        default: return ("\(error)", port)
        }
    }

    func stop() async {
        await group.triggerGracefulShutdown()
        _ = await run.result
    }
}
