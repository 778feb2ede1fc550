/// An HTTP request that a transport sends.
public struct CloudRequest: Sendable {
    /// The methods that the protocol uses.
    public enum Method: String, Hashable, Sendable {
        /// A request without a body.
        case get = "GET"
        /// A request with a body.
        case post = "POST"
    }

    /// The body of a request.
    public enum Body: Hashable, Sendable {
        /// No body.
        case none
        /// These bytes.
        case bytes([UInt8])
        /// The content of the file at this path, streamed in constant memory.
        case file(path: String)
    }

    /// The method.
    public var method: Method
    /// An absolute URL (`https://…`, used for asset transfers), or a path and query that begin with `/`,
    /// relative to the transport's server. Already percent-encoded.
    public var target: String
    /// The headers, without those that the transport adds (`Host`, `Content-Length`).
    public var headers: CloudHeaders
    /// The body.
    public var body: Body
    /// The path of a file that receives the body of a response with status 200, streamed. An existing file is
    /// replaced. Bodies of other statuses stay in memory.
    public var saveTo: String?
    /// Whether to continue a partial download and to keep an incomplete one. The partial file has the name of
    /// `saveTo` with `.part` appended. A transport may restart each time instead.
    public var resumes = false
    /// The largest body of the response in bytes; a larger one ends the exchange with an error. nil uses the
    /// transport's limit. Bodies for `onBytes` are not limited. With `saveTo` it limits the file only,
    /// because the text of an error may be longer than a small file.
    public var maximumBytes: Int64?
    /// Receives the body of a response with status 200 as it arrives; the response itself then has an empty
    /// body. An error that it throws ends the exchange.
    public var onBytes: (@Sendable ([UInt8]) async throws -> Void)?
    /// The longest wait for the whole response; nil uses the transport's limit.
    public var timeout: Duration?
    /// The longest pause without a transferred byte in either direction; nil uses the transport's limit.
    public var idleTimeout: Duration?
    /// Called during the transfer of a body, in either direction, with the transferred bytes and, if known,
    /// the total.
    public var onProgress: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?

    /// Creates a request. Only method and target are required.
    public init(
        _ method: Method,
        _ target: String,
        headers: CloudHeaders = [:],
        body: Body = .none,
        saveTo: String? = nil,
        timeout: Duration? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.saveTo = saveTo
        self.timeout = timeout
    }
}
