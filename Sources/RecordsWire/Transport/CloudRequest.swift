/// What a client wants sent.
public struct CloudRequest: Sendable {
    /// The methods that the protocol uses.
    public enum Method: String, Hashable, Sendable {
        /// Reads; carries no body.
        case get = "GET"
        /// Everything that carries a body.
        case post = "POST"
    }

    /// What is sent after the headers.
    public enum Body: Hashable, Sendable {
        /// Nothing.
        case none
        /// These bytes.
        case bytes([UInt8])
        /// The content of the file at this path, streamed, never whole in memory.
        case file(path: String)
    }

    /// The method.
    public var method: Method
    /// Either an absolute URL (`https://…`, used for asset transfers) or a path with its query that begins
    /// with `/`, relative to the server that the transport speaks to. Percent-encoded as it goes on the wire.
    public var target: String
    /// Headers beyond those the transport adds by itself (`Host`, `Content-Length`).
    public var headers: CloudHeaders
    /// The body.
    public var body: Body
    /// When set, and the status is 200, the response's body is written to a file at this path, streamed;
    /// an existing file is replaced. Bodies of other statuses stay in memory.
    public var saveTo: String?
    /// Whether a part of the body that an earlier attempt left beside `saveTo`, under its name and `.part`,
    /// is gone on with, and one that this attempt leaves is kept. A transport may begin anew each time.
    public var resumes = false
    /// Bytes beyond which the response's body ends the exchange with an error; nil leaves that to the
    /// transport. A body that goes to `onBytes` is not counted.
    public var mostBytes: Int64?
    /// When set, and the status is 200, the response's body is handed over as it arrives, and is empty in the
    /// response itself. What it throws ends the exchange.
    public var onBytes: (@Sendable ([UInt8]) async throws -> Void)?
    /// The longest wait for the whole response; nil leaves it to the transport.
    public var timeout: Duration?
    /// The longest pause in which no byte moves in either direction; nil leaves it to the transport.
    public var idleTimeout: Duration?
    /// Called while body bytes move, upload or download, with the bytes done so far and, where known, in all.
    public var onProgress: (@Sendable (_ done: Int64, _ total: Int64?) -> Void)?

    /// Makes a request; only method and target are needed.
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
