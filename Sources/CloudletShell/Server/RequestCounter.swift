import Cloudlet
import Foundation
import Synchronization

/// Counts the requests that pass through a transport.
public final class RequestCounter: Sendable {
    private let state = Mutex(RequestCounts())
    private let sent = Atomic(0)
    private let watcher = Mutex<(@Sendable (RequestTrace) -> Void)?>(nil)

    private let microseconds = Atomic(0)
    private let isUnreachable = Atomic(false)

    /// Whether the last request found no server: no connection could be established.
    var isServerUnreachable: Bool { isUnreachable.load(ordering: .relaxed) }

    /// The total time in microseconds that the server worked on requests, according to its answers.
    public var serverMicroseconds: Int { microseconds.load(ordering: .relaxed) }

    /// The number of requests of the app that were sent so far. The shell's own calls, to the operator's and
    /// development endpoints, do not count.
    public var count: Int { sent.load(ordering: .relaxed) }

    /// The counts of all requests, which are optionally reset afterwards.
    func counts(resetting: Bool) -> RequestCounts {
        state.withLock { counts in
            defer { if resetting { counts = RequestCounts() } }
            return counts
        }
    }

    /// Sets the function that is called with every answered request; nil for none.
    func monitor(_ watcher: (@Sendable (RequestTrace) -> Void)?) {
        self.watcher.withLock { $0 = watcher }
    }

    /// Wraps a transport so that its requests are counted.
    func counting(_ transport: any CloudTransport) -> any CloudTransport {
        CountedTransport(base: transport, counter: self)
    }

    private struct CountedTransport: CloudTransport {
        let base: any CloudTransport
        let counter: RequestCounter

        func send(_ request: CloudRequest) async throws -> CloudResponse {
            do {
                let response = try await counted(request)
                counter.isUnreachable.store(false, ordering: .relaxed)
                return response
            } catch let error as CloudTransportError {
                if case .unreachable = error { counter.isUnreachable.store(true, ordering: .relaxed) }
                throw error
            }
        }

        private func counted(_ request: CloudRequest) async throws -> CloudResponse {
            // Calls of the shell to the operator's and development endpoints are no requests of the app.
            guard !["/dev/", "/operator/", "/limits"].contains(where: request.target.hasPrefix) else {
                let response = try await base.send(request)
                counter.recordTime(response)
                return response
            }
            counter.sent.add(1, ordering: .relaxed)
            do {
                let response = try await base.send(request)
                counter.recordTime(response)
                counter.record(request, status: response.status, received: response.bytes)
                return response
            } catch {
                counter.record(request, status: nil, received: [])
                throw error
            }
        }
    }

    /// Adds the duration in a header such as `Server-Timing: total;dur=1.234`, in milliseconds.
    private func recordTime(_ response: CloudResponse) {
        guard let text = response.headers["Server-Timing"],
            let match = text.firstMatch(of: /total;dur=([0-9.]+)/),
            let milliseconds = Double(match.output.1), milliseconds < 1e12
        else { return }
        microseconds.add(Int((milliseconds * 1000).rounded()), ordering: .relaxed)
    }

    /// Counts an operation with its quality of service.
    func record(operation quality: QualityOfService) {
        state.withLock { $0.record(operation: quality) }
    }

    /// Counts a request. The status is nil if there was no answer.
    private func record(_ request: CloudRequest, status: Int?, received: [UInt8]) {
        let failed = status.map { $0 >= 400 } ?? true
        let body: [UInt8] = if case .bytes(let bytes) = request.body { bytes } else { [] }
        state.withLock {
            $0.record(Self.endpoint(request), body: body, failed: failed, received: received)
        }
        guard let watcher = watcher.withLock({ $0 }) else { return }
        watcher(
            RequestTrace(
                endpoint: Self.endpoint(request), status: status, sentBytes: body.count,
                receivedBytes: received.count))
    }

    /// The endpoint: `records/query` for `/database/1/…/public/records/query?…`. For files it is `upload` or
    /// `download`, because the last part of their path is a ticket that differs for each request.
    private static func endpoint(_ request: CloudRequest) -> String {
        let parts = request.target.prefix { $0 != "?" }.split(separator: "/").suffix(2)
        if parts.first == "assets" { return request.method == .get ? "download" : "upload" }
        return parts.joined(separator: "/")
    }
}
