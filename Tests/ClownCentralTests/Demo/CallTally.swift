import Foundation
import Records
import RecordsWire
import Synchronization

/// Counts the requests that clients sent and that the server answered, by operation, at the clients'
/// transport.
///
/// Calls that wait for pushes are left out: they end when the client goes away.
final class CallTally: Sendable {
    /// The counts of an operation's answers.
    struct Count: Equatable, Sendable {
        var requests: Int64 = 0
        /// Answers with an error, of the request or of one of its items.
        var failures: Int64 = 0
    }

    private let counts = Mutex<[String: Count]>([:])

    var all: [String: Count] { counts.withLock { $0 } }

    func counting(_ base: any CloudTransport) -> any CloudTransport {
        CountingTransport(base: base, tally: self)
    }

    fileprivate func add(_ request: CloudRequest, _ response: CloudResponse) {
        let operation = Self.operation(of: request)
        if Self.isWaiting(operation) { return }
        let isFailure = response.status >= 400 || Self.namesError(response)
        counts.withLock {
            $0[operation, default: Count()].requests += 1
            if isFailure { $0[operation, default: Count()].failures += 1 }
        }
    }

    /// Whether an operation waits for pushes.
    static func isWaiting(_ operation: String) -> Bool { operation.hasPrefix("push/") }

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
            if case .push = endpoint { return "push/" }
            return endpoint.text
        }
        if path.hasPrefix("/assets/") { return request.method == .post ? "assets/send" : "assets/fetch" }
        return path.hasPrefix("/console") ? "console" : "unknown"
    }
}

private struct CountingTransport: CloudTransport {
    let base: any CloudTransport
    let tally: CallTally

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let response = try await base.send(request)
        tally.add(request, response)
        return response
    }
}
