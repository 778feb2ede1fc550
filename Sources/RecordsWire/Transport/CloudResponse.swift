/// An HTTP response with any status.
public struct CloudResponse: Hashable, Sendable {
    /// The body of a response.
    public enum Body: Hashable, Sendable {
        /// The body in memory; empty if there is none.
        case bytes([UInt8])
        /// The file that the request named in `saveTo`.
        case file(path: String)
    }

    /// The HTTP status.
    public var status: Int
    /// The headers as they arrived.
    public var headers: CloudHeaders
    /// The body.
    public var body: Body

    /// Creates a response.
    public init(status: Int, headers: CloudHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The body if it is in memory, otherwise an empty array.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
