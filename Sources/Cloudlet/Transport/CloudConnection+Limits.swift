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
            let published = Limits.published.compactMap { limit in
                facts.limit(limit.name.description).map { (limit, $0) }
            }
            learned.withLock { $0 = published }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// What is checked before anything is sent: the lower of what was set and what the server has published.
    package var knownLimits: Limits {
        var known = limits
        for (limit, number) in learned.current { limit.lower(to: number, in: &known) }
        return known
    }
}
