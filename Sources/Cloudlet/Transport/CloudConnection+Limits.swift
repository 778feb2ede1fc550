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
        guard response.status == 200,
            let published = try? JSONDecoder().decode(PublishedLimits.self, from: Data(response.bytes))
        else { return }
        learned.withLock { $0 = published }
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
        if let bytes = published.assetBytes { known.assetBytes = min(known.assetBytes, Int64(bytes)) }
        return known
    }
}

/// The limits that a client can heed, under the names by which servers publish them.
struct PublishedLimits: Decodable, Sendable {
    var operationsPerRequest: Int?
    var recordsPerResponse: Int?
    var tokensPerRequest: Int?
    var zonesPerRequest: Int?
    var recordBytes: Int?
    var assetBytes: Int?
    var requestBytes: Int?
    var nameCharacters: Int?

    fileprivate func lower(
        _ limit: WritableKeyPath<Limits, Int>, of published: KeyPath<PublishedLimits, Int?>,
        in limits: inout Limits
    ) {
        guard let value = self[keyPath: published], value > 0 else { return }
        limits[keyPath: limit] = min(limits[keyPath: limit], value)
    }
}
