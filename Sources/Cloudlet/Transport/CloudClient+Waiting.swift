// Owns the application of rate limits and timeouts to requests.

import Foundation
internal import Records
internal import RecordsWire

extension CloudClient {
    /// The request with the time that its operation still gives it.
    ///
    /// Throws `CKError.networkFailure` when none is left.
    func timed(_ request: CloudRequest) throws -> CloudRequest {
        var request = request
        request.idleTimeout = patience.pause
        request.timeout = patience.remaining(at: connection.now())
        if let timeout = request.timeout, timeout <= .zero {
            throw CKError(failure: CloudTransportError.timedOut)
        }
        return request
    }

    /// Throws `CKError.requestRateLimited` while the server wants to hear nothing from this caller.
    func checkGate() throws {
        let (gate, now) = (connection.gate, connection.now())
        guard let seconds = gate.withLock({ $0.remaining(for: gateCaller, at: now) }) else { return }
        throw CKError.heldBack(seconds: seconds)
    }

    /// Notes how long the server wants to hear nothing.
    func closeGate(after error: RecordError) {
        guard error.code == .throttled, let seconds = error.retryAfter, seconds > 0 else { return }
        let now = connection.now()
        connection.gate.withLock { $0.close(for: gateCaller, seconds: Double(seconds), at: now) }
    }

    private var gateCaller: RequestGate.Caller {
        RequestGate.Caller(
            container: container, person: connection.senderName, device: connection.deviceName)
    }
}
