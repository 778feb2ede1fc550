/// Why a transport has no response to give.
public enum CloudTransportError: Error, Hashable, Sendable {
    /// There is no network, or no connection could be made.
    case unreachable(String)
    /// The connection broke after the request was sent; the server may have acted on it.
    case connectionLost(String)
    /// The time allowed by `CloudRequest.timeout` or `idleTimeout` ran out.
    case timedOut
    /// The file of the request's body cannot be read, or that of `saveTo` cannot be written.
    case file(path: String, reason: String)
    /// The target is not one that this transport can reach, such as a malformed address.
    case badTarget(String)
}

extension CloudTransportError: CustomStringConvertible {
    /// One sentence for people.
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
