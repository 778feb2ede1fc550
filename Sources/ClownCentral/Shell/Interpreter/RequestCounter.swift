// Owns the count of requests, since every request counts against what a server allows an app.
import Cloudlet
import Foundation
import Synchronization

/// Counts what goes through a transport.
final class RequestCounter: Sendable {
    private let sent = Atomic(0)

    /// How many requests were sent so far.
    var count: Int { sent.load(ordering: .relaxed) }

    /// The same way to the server, counted.
    func counting(_ transport: any CloudTransport) -> any CloudTransport {
        CountedTransport(base: transport, counter: self)
    }

    private struct CountedTransport: CloudTransport {
        let base: any CloudTransport
        let counter: RequestCounter

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            // What a shell asks of a development server is no request of the app.
            if !request.target.hasPrefix("/dev/") { counter.sent.add(1, ordering: .relaxed) }
            return try await base.send(request)
        }
    }
}
