import Foundation
internal import Records
internal import RecordsWire

extension CloudClient {
    /// Sends a request within the time limits of its operation. A failed request is sent again if the
    /// operation permits it and enough time remains.
    ///
    /// - Parameters:
    ///   - changes: Whether the request changes data, so that a lost response leaves open whether it was
    ///     executed.
    ///   - mayRepeat: Whether a change may be sent again after its response was lost, because executing it
    ///     twice has the same effect as once.
    ///   - onRepeat: Called when an earlier attempt may have been executed, before the request is sent again
    ///     or a recorded response to such a repetition is returned.
    /// - Throws: `CloudTransportError`; `timedOut` when the time for the round trip is over.
    func exchange(
        _ request: CloudRequest, changes: Bool = false, mayRepeat: Bool = false,
        onRepeat: (@Sendable () -> Void)? = nil
    ) async throws -> CloudResponse {
        let name = recorder?.name(request)
        if let name, let known = recorder?.answer(to: name) {
            if known.isRepeat { onRepeat?() }
            return known.response
        }
        var isRepeat = name.flatMap { recorder?.wasSent($0) } ?? false
        var trip = RoundTrip(policy, at: connection.now(), changes: changes && !mayRepeat)
        while true {
            do {
                try await waitForConditions(trip)
                if changes, let name { recorder?.recordSending(name) }
                if isRepeat { onRepeat?() }
                let response = try await connection.transport.send(try timed(request, trip))
                if let name { recorder?.keep(response, as: name, isRepeat: isRepeat) }
                return response
            } catch let error as CloudTransportError {
                guard let seconds = trip.wait(after: error, at: connection.now()) else { throw error }
                if changes, error.mayHaveExecuted { isRepeat = true }
                try await connection.pause(.seconds(seconds))
            }
        }
    }

    /// Waits until the device's conditions permit the request, at most for the remaining time of the round
    /// trip.
    private func waitForConditions(_ trip: RoundTrip) async throws {
        let (policy, conditions, pause) = (policy, connection.conditions, connection.pause)
        switch policy.sendDecision(in: conditions.state) {
        case .now: return
        case .never(let reason): throw CloudTransportError.unreachable(reason)
        case .later: break
        }
        let left = trip.remaining(at: connection.now())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await conditions.wait { policy.sendDecision(in: $0) == .now } }
            if let left {
                group.addTask {
                    try await pause(.seconds(max(0, left)))
                    let missing = policy.missing(in: conditions.state)
                    throw missing.map(CloudTransportError.unreachable) ?? .timedOut
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Returns the request with the remaining time as its timeout. If the connection has a server key, the
    /// request is also signed with the current time.
    private func timed(_ request: CloudRequest, _ trip: RoundTrip) throws -> CloudRequest {
        var request = request
        let now = connection.now()
        request.idleTimeout = policy.idleTimeout
        request.timeout = trip.remaining(at: now).map { .seconds($0) }
        if let timeout = request.timeout, timeout <= .zero { throw CloudTransportError.timedOut }
        guard let key = connection.serverKey, request.target.hasPrefix("/database/") else { return request }
        return try key.signed(request, at: now)
    }

    /// Throws `CKError.requestRateLimited` while the server's rate limit for this caller is in effect.
    func checkGate() throws {
        let (gate, now) = (connection.gate, connection.now())
        guard let seconds = gate.withLock({ $0.remaining(for: gateCaller, at: now) }) else { return }
        throw CKError.rateLimited(seconds: seconds)
    }

    /// Stores the `retryAfter` of a rate limit error, so that `checkGate()` refuses requests until then.
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
