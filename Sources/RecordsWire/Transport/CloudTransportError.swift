/// The reason why there is no response.
public enum CloudTransportError: Error, Hashable, Sendable {
    /// There is no network, or the connection could not be established.
    case unreachable(String)
    /// The connection broke after the request was sent. The server may have carried out the request.
    case connectionLost(String)
    /// The time of `CloudRequest.timeout` or `idleTimeout` ran out.
    case timedOut
    /// The file of the request's body cannot be read, or the file of `saveTo` cannot be written.
    case file(path: String, reason: String)
    /// The transport cannot reach the target, for example because the URL is malformed.
    case badTarget(String)
}

extension CloudTransportError: CustomStringConvertible {
    /// The reason in one sentence.
    public var description: String {
        switch self {
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .timedOut: "the server did not answer in time"
        case .file(let path, let reason): "the file \(path) cannot be used: \(reason)"
        case .badTarget(let target): "the address cannot be used: \(target)"
        }
    }
}
