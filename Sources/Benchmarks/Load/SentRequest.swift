/// A request that was sent and whose response is read by `finish`.
struct SentRequest {
    private let client: LoadClient
    private let link: LoadConnection

    fileprivate init(_ client: LoadClient, _ link: LoadConnection, _ request: LoadRequest) throws {
        self.client = client
        self.link = link
        try link.begin(request, keepsBody: true)
    }

    /// Waits for the response. Throws unless it has the expected status.
    func finish(status: Int = 200) throws {
        try client.finish(link, status: status)
    }
}

extension LoadClient {
    /// Sends a request without waiting for its response.
    ///
    /// - Parameter link: An open connection without a request in progress; nil: a new connection.
    func send(_ request: LoadRequest, over link: LoadConnection? = nil) throws -> SentRequest {
        try SentRequest(self, link ?? LoadConnection(address), request)
    }
}
