// Owns what a connection knows of its server's limits.

import Foundation
package import Records
internal import RecordsWire

extension CloudConnection {
    /// Reads the limits that the server publishes, for this connection and its copies: from then on what is
    /// too much for it fails with `CKError.limitExceeded` before anything is sent.
    ///
    /// Without it, what a server allows less than the web protocol is known when it refuses.
    ///
    /// - Throws: `CKError` when the server cannot be asked; one that publishes no limits has those of the web
    ///   protocol.
    public func readLimits() async throws {
        let response: CloudResponse
        do {
            var request = CloudRequest(.get, "/limits")
            // A server that keeps still must not hold up whoever asks.
            request.idleTimeout = .seconds(60)
            response = try await transport.send(request)
        } catch {
            throw CKError(failure: error)
        }
        guard response.status == 200, let body = try? JSONDocument(response.bytes).root.object()
        else { return }
        var published: [(limit: Limits.Published, number: Int64)] = []
        for limit in Limits.published {
            guard let node = body[limit.name] else { continue }
            // An answer of another shape is that of another server, which publishes no limits.
            guard let number = node.int64Value else { return }
            published.append((limit, number))
        }
        learned.withLock { $0 = published }
    }

    /// What is checked before anything is sent: the lower of what was set and what the server has published.
    package var knownLimits: Limits {
        var known = limits
        for (limit, number) in learned.current { limit.lower(to: number, in: &known) }
        return known
    }
}
