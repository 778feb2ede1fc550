// Owns a request that is on its way while its sender does something else.

/// A request on a connection of its own, whose answer is read when somebody asks for it.
struct SentRequest {
    private let client: LoadClient
    private let link: LoadConnection

    fileprivate init(_ client: LoadClient, _ request: LoadRequest) throws {
        self.client = client
        link = try LoadConnection(client.address)
        try link.begin(request, keepsBody: true)
    }

    /// Waits for the answer; throws unless it has that status.
    func finish(status: Int = 200) throws {
        try client.finish(link, status: status)
    }
}

extension LoadClient {
    /// Sends a request and does not wait.
    func send(_ request: LoadRequest) throws -> SentRequest {
        try SentRequest(self, request)
    }
}
