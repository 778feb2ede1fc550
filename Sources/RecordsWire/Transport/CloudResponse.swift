/// What a server answered.
public struct CloudResponse: Hashable, Sendable {
    /// Where the body is.
    public enum Body: Hashable, Sendable {
        /// In memory; empty when there is none.
        case bytes([UInt8])
        /// In the file that the request asked for with `saveTo`.
        case file(path: String)
    }

    /// The HTTP status.
    public var status: Int
    /// The headers as they arrived.
    public var headers: CloudHeaders
    /// The body.
    public var body: Body

    /// Makes a response.
    public init(status: Int, headers: CloudHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// The bytes of the body when it is in memory, else none.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
