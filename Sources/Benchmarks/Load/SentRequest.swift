/// A request whose answer is read when somebody asks for it.
struct SentRequest {
    private let client: LoadClient
    private let link: LoadConnection

    fileprivate init(_ client: LoadClient, _ link: LoadConnection, _ request: LoadRequest) throws {
        self.client = client
        self.link = link
        try link.begin(request, keepsBody: true)
    }

    /// Waits for the answer; throws unless it has that status.
    func finish(status: Int = 200) throws {
        try client.finish(link, status: status)
    }
}

extension LoadClient {
    /// Sends a request and does not wait.
    ///
    /// - Parameter link: A connection that stands and has no request under way; else it gets one of its own.
    func send(_ request: LoadRequest, over link: LoadConnection? = nil) throws -> SentRequest {
        try SentRequest(self, link ?? LoadConnection(address), request)
    }
}
