/// Sends a client's requests to a server: over HTTP, in process, or to a test double.
///
/// A transport only moves bytes. It does not retry, cache, redirect or authenticate, and it returns responses
/// with any status without converting them to errors.
///
/// ```swift
/// let response = try await transport.send(
///     CloudRequest(.post, "/database/1/iCloud.x.y/development/public/records/query", body: .bytes(json))
/// )
/// ```
public protocol CloudTransport: Sendable {
    /// Sends one request and waits for the whole response.
    ///
    /// Throws `CloudTransportError` if there is no response: no connection, a lost connection, a timeout, or
    /// a file that cannot be read or written. Cancelling the task ends the exchange and throws
    /// `CancellationError`; the server may or may not have carried out the request.
    func send(_ request: CloudRequest) async throws -> CloudResponse
}
