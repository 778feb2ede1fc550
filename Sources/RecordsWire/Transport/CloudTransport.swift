/// What carries a client's requests to a server: HTTP, a loopback inside the process, or a test's double.
///
/// A transport moves bytes and nothing else. It does not retry, cache, redirect or authenticate, and it never
/// turns a status into an error: a response with any status is a response.
///
/// ```swift
/// let response = try await transport.send(
///     CloudRequest(.post, "/database/1/iCloud.x.y/development/public/records/query", body: .bytes(json))
/// )
/// ```
public protocol CloudTransport: Sendable {
    /// Sends one request and waits for its whole response.
    ///
    /// Throws `CloudTransportError` when no response came: no connection, connection lost, time over, a file
    /// that cannot be read or written. Cancelling the calling task abandons the exchange and throws
    /// `CancellationError`; whether the server acted on it is then unknown.
    func send(_ request: CloudRequest) async throws -> CloudResponse
}
