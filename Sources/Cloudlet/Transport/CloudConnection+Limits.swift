package import Records
internal import RecordsWire

extension CloudConnection {
    /// Reads the limits that the server publishes and applies them to this connection and its copies: a
    /// request that exceeds one then fails with `CKError.limitExceeded` before it is sent.
    ///
    /// Without this call, the client checks the limits of the web protocol, and a lower limit of the server
    /// shows only when the server refuses a request.
    ///
    /// - Throws: `CKError` when the server cannot be reached or is busy, or its answer cannot be read. If the
    ///   server publishes no limits, those of the web protocol stay in effect.
    public func readLimits() async throws {
        do {
            var request = CloudRequest(ReadServerFacts())
            // Without a timeout, a server that does not respond would block the caller forever.
            request.idleTimeout = .seconds(60)
            let response = try await transport.send(request)
            guard response.status == 200 else {
                let error = RecordError(status: response.status, body: response.bytes)
                if [.throttled, .tryAgainLater].contains(error.code) { throw error }
                return
            }
            let facts = try ServerFacts(bytes: response.bytes)
            let published = Limits.published.compactMap { limit in
                facts.limit(limit.name.description).map { (limit, $0) }
            }
            learned.withLock { $0 = published }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// The limits that are checked before a request is sent: the lower of the connection's own limit and the
    /// limit that the server published.
    package var knownLimits: Limits {
        var known = limits
        for (limit, number) in learned.current { limit.lower(to: number, in: &known) }
        return known
    }
}

extension Limits {
    /// The maximum number of bytes of files in one batch: the amount that can be sent at the server's minimum
    /// rate while an upload address is valid. It is at most half of the bytes that may wait for records,
    /// because the files of a repeated batch count in addition to those of the first attempt.
    package var batchUploadBytes: Int64 {
        let inTime = Int64(uploadSeconds).multipliedSaturated(by: Int64(transferBytesPerSecond))
        return max(1, min(inTime, waitingUploadBytes / 2))
    }
}
