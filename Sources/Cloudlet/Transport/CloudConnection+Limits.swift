// Owns what a connection knows of its server's limits.

package import Records
internal import RecordsWire

extension CloudConnection {
    /// Reads the limits that the server publishes, for this connection and its copies: from then on what is
    /// too much for it fails with `CKError.limitExceeded` before anything is sent.
    ///
    /// Without it, what a server allows less than the web protocol is known when it refuses.
    ///
    /// - Throws: `CKError` when the server cannot be asked, or its answer cannot be read; one that publishes
    ///   no limits has those of the web protocol.
    public func readLimits() async throws {
        do {
            var request = CloudRequest(ReadServerFacts())
            // A server that keeps still must not hold up whoever asks.
            request.idleTimeout = .seconds(60)
            let response = try await transport.send(request)
            guard response.status == 200 else { return }
            let facts = try ServerFacts(bytes: response.bytes)
            learned.withLock { $0 = PublishedLimits(facts) }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// What is checked before anything is sent: the lower of what was set and what the server has published.
    package var knownLimits: Limits {
        guard let published = learned.current else { return limits }
        var known = limits
        published.lower(\.operationsPerRequest, of: \.operationsPerRequest, in: &known)
        published.lower(\.recordsPerResponse, of: \.recordsPerResponse, in: &known)
        published.lower(\.tokensPerRequest, of: \.tokensPerRequest, in: &known)
        published.lower(\.zonesPerRequest, of: \.zonesPerRequest, in: &known)
        published.lower(\.recordBytes, of: \.recordBytes, in: &known)
        published.lower(\.requestBytes, of: \.requestBytes, in: &known)
        published.lower(\.nameCharacters, of: \.nameCharacters, in: &known)
        if let bytes = published.assetBytes { known.assetBytes = min(known.assetBytes, bytes) }
        return known
    }
}

/// The limits that a client can heed, under the names by which servers publish them.
struct PublishedLimits: Sendable {
    fileprivate var operationsPerRequest: Int?
    fileprivate var recordsPerResponse: Int?
    fileprivate var tokensPerRequest: Int?
    fileprivate var zonesPerRequest: Int?
    fileprivate var recordBytes: Int?
    fileprivate var requestBytes: Int?
    fileprivate var nameCharacters: Int?
    fileprivate var assetBytes: Int64?

    init(_ facts: ServerFacts) {
        func limit(_ name: String) -> Int? { facts.limit(name).flatMap { Int(exactly: $0) } }
        operationsPerRequest = limit("operationsPerRequest")
        recordsPerResponse = limit("recordsPerResponse")
        tokensPerRequest = limit("tokensPerRequest")
        zonesPerRequest = limit("zonesPerRequest")
        recordBytes = limit("recordBytes")
        requestBytes = limit("requestBytes")
        nameCharacters = limit("nameCharacters")
        assetBytes = facts.limit("assetBytes")
    }

    fileprivate func lower(
        _ limit: WritableKeyPath<Limits, Int>, of published: KeyPath<PublishedLimits, Int?>,
        in limits: inout Limits
    ) {
        guard let value = self[keyPath: published], value > 0 else { return }
        limits[keyPath: limit] = min(limits[keyPath: limit], value)
    }
}
