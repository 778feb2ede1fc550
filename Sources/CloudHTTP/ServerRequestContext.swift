import CloudService
package import Hummingbird
import Logging
import NIOCore

/// The Hummingbird context of a request.
package struct ServerRequestContext: RequestContext {
    package var coreContext: CoreRequestContextStorage
    /// The connection of the request; nil for requests from this process.
    private let channel: (any Channel)?
    /// The facts about the request, collected while it is being answered.
    let notes = RequestNotes()

    package init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// A context for a request from this process.
    package init() {
        coreContext = CoreRequestContextStorage(source: InProcess())
        channel = nil
    }

    /// Whether the request came through a socket.
    var isFromNetwork: Bool { channel != nil }

    /// The address at the other end of the connection, which may be a proxy's.
    var address: NetworkAddress? { channel?.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) } }

    /// The connection's address as the limits count it; nil for requests from this process.
    var network: ClientNetwork? { channel.map { ClientNetwork($0.remoteAddress) } }

    /// Runs work on the event loop of the connection. It stays there after each suspension.
    func onLoop<T>(_ work: () async throws -> T) async rethrows -> T {
        guard let channel else { return try await work() }
        return try await withTaskExecutorPreference(LoopExecutor(channel.eventLoop), operation: work)
    }

    /// Returns a writer that sends pushes on the connection while an answer of no fixed length is being
    /// written. Call it within `onLoop`, after the answer has begun.
    ///
    /// Returns nil for requests from this process, and outside of the event loop: then the task of the answer
    /// has to write the pushes.
    func pushWriter(_ chunk: @escaping @Sendable (QueuedPush) -> PushChunk) -> (any PushWriter)? {
        channel.flatMap { StreamWriter($0, chunk) }
    }

    /// Closes the connection, if there is one, so that the client gets no answer.
    func breakConnection() async {
        try? await channel?.close()
    }

    private struct InProcess: RequestContextSource {
        var logger: Logger { Self.silent }

        private static let silent = Logger(label: "cloudlet.loopback") { _ in SwiftLogNoOpLogHandler() }
    }
}
