// Owns the count of requests, since every request counts against what a server allows an app.
import Cloudlet
import Foundation
import Synchronization

/// Counts what goes through a transport.
final class RequestCounter: Sendable {
    private let state = Mutex(Traffic())
    private let sent = Atomic(0)

    /// How many requests were sent so far.
    var count: Int { sent.load(ordering: .relaxed) }

    /// What is known about them, and whether to forget it after.
    func traffic(forgetting: Bool) -> Traffic {
        state.withLock { traffic in
            defer { if forgetting { traffic = Traffic() } }
            return traffic
        }
    }

    /// The same way to the server, counted.
    func counting(_ transport: any CloudTransport) -> any CloudTransport {
        CountedTransport(base: transport, counter: self)
    }

    private struct CountedTransport: CloudTransport {
        let base: any CloudTransport
        let counter: RequestCounter

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            // What a shell asks of a server as its operator or developer is no request of the app.
            guard !["/dev/", "/operator/"].contains(where: request.target.hasPrefix) else {
                return try await base.send(request)
            }
            counter.sent.add(1, ordering: .relaxed)
            do {
                let response = try await base.send(request)
                counter.note(request, failed: response.status >= 400, received: response.bytes.count)
                return response
            } catch {
                counter.note(request, failed: true, received: 0)
                throw error
            }
        }
    }

    private func note(_ request: CloudRequest, failed: Bool, received: Int) {
        let body: [UInt8] = if case .bytes(let bytes) = request.body { bytes } else { [] }
        state.withLock {
            $0.note(Self.endpoint(request), body: body, failed: failed, receivedBytes: received)
        }
    }

    /// `records/query` of `/database/1/…/public/records/query?…`; files have tickets, which say nothing.
    private static func endpoint(_ request: CloudRequest) -> String {
        let path = request.target.prefix { $0 != "?" }
        if path.hasPrefix("/assets/") { return request.method == .get ? "download" : "upload" }
        return path.split(separator: "/").suffix(2).joined(separator: "/")
    }
}
