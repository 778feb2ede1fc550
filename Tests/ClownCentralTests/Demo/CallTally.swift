import Foundation
import Records
import RecordsWire
import Synchronization

/// Counts the requests that clients sent, and those that the server answered, by operation, at the clients'
/// transport.
final class CallTally: Sendable {
    /// The counts of an operation's answers.
    struct Count: Equatable, Sendable {
        var requests: Int64 = 0
        /// Answers with an error, of the request or of one of its items.
        var failures: Int64 = 0
    }

    private let counts = Mutex<[String: Count]>([:])
    private let begun = Mutex<[String: Int64]>([:])
    /// The requests in progress.
    private let unfinished = Mutex<[String: Int64]>([:])

    /// The answered requests.
    var all: [String: Count] { counts.withLock { $0 } }

    /// The number of requests that were sent, whether or not the client waited for the answer.
    var sent: [String: Int64] { begun.withLock { $0 } }

    /// Whether all requests have ended, except those of the given operations.
    func isIdle(except waiting: Set<String>) -> Bool {
        unfinished.withLock { counts in
            counts.allSatisfy { $0.value == 0 || waiting.contains($0.key) }
        }
    }

    func counting(_ base: any CloudTransport) -> any CloudTransport {
        CountingTransport(base: base, tally: self)
    }

    fileprivate func begin(_ request: CloudRequest) {
        let operation = Self.operation(of: request)
        unfinished.withLock { $0[operation, default: 0] += 1 }
        begun.withLock { $0[operation, default: 0] += 1 }
    }

    fileprivate func end(_ request: CloudRequest) {
        unfinished.withLock { $0[Self.operation(of: request), default: 0] -= 1 }
    }

    fileprivate func add(_ request: CloudRequest, _ response: CloudResponse) {
        let operation = Self.operation(of: request)
        let isFailure = response.status >= 400 || Self.namesError(response)
        counts.withLock {
            $0[operation, default: Count()].requests += 1
            if isFailure { $0[operation, default: Count()].failures += 1 }
        }
    }

    private static func namesError(_ response: CloudResponse) -> Bool {
        guard case .bytes(let bytes) = response.body else { return false }
        return String(decoding: bytes, as: UTF8.self).contains("\"serverErrorCode\"")
    }

    private static func operation(of request: CloudRequest) -> String {
        let address = request.target.prefix { $0 != "?" }
        let host = address.firstMatch(of: /^https?:\/\/[^\/]*/)
        let path = host.map { address[$0.range.upperBound...] } ?? address
        if let known = try? RequestPath(path: String(path)) { return known.endpoint.rawValue }
        if let (endpoint, _) = ServerEndpoint.find(request.method.rawValue, String(path)) {
            guard case .push(let push) = endpoint else { return endpoint.text }
            return "push/\(push)"
        }
        if path.hasPrefix("/assets/") { return request.method == .post ? "assets/send" : "assets/fetch" }
        return path.hasPrefix("/console") ? "console" : "unknown"
    }
}

private struct CountingTransport: CloudTransport {
    let base: any CloudTransport
    let tally: CallTally

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        tally.begin(request)
        defer { tally.end(request) }
        let response = try await base.send(request)
        tally.add(request, response)
        return response
    }
}
