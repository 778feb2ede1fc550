import CloudService
package import Hummingbird
import Logging
import NIOCore

/// The context of a request.
package struct DoorContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection that the request came through; nil for requests from this process.
    private let channel: (any Channel)?

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// A context for a request that comes from this process.
    package init() {
        coreContext = CoreRequestContextStorage(source: InProcess())
        channel = nil
    }

    /// Whether the request came through a socket, and not from this process.
    var isFromNetwork: Bool { channel != nil }

    /// The network address at the other end of the connection, which may be a proxy's.
    var address: NetworkAddress? { channel?.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) } }

    /// Whose connection the request came through, as limits for each address see it; nil for requests from
    /// this process.
    var origin: NetworkOrigin? { channel.map { NetworkOrigin($0.remoteAddress) } }

    /// Runs work on the event loop of the connection, however it is woken, so that what it sends stays there.
    func onLoop<T>(_ work: () async throws -> T) async rethrows -> T {
        guard let channel else { return try await work() }
        return try await withTaskExecutorPreference(LoopExecutor(channel.eventLoop), operation: work)
    }

    /// Lets the connection's loop read and write other connections before the task goes on.
    func giveWay() async {
        guard let channel else { return await Task.yield() }
        // A task that is due at once would run before the loop looks at its connections.
        _ = try? await channel.eventLoop.scheduleTask(in: .microseconds(20)) {}.futureResult.get()
    }

    /// How pushes get to the connection while an answer to it goes on, one that is written as it is made: not
    /// compressed. To be asked for within `onLoop`, when the answer has begun.
    ///
    /// nil for requests from this process, and elsewhere: then the task of the answer writes.
    func pushWriter(_ chunk: @escaping @Sendable (QueuedPush) -> PushChunk) -> (any PushWriter)? {
        channel.flatMap { StreamWriter($0, chunk) }
    }

    /// Breaks the connection off, if there is one, so that no answer gets through.
    func breakConnection() async {
        try? await channel?.close()
    }

    private struct InProcess: RequestContextSource {
        var logger: Logger { Self.silent }

        private static let silent = Logger(label: "cloudlet.loopback") { _ in SwiftLogNoOpLogHandler() }
    }
}
