package import Records
import Synchronization

/// Keeps the last requests in memory, so that operators can look for errors. They are lost at a restart.
package final class RequestHistory: Sendable {
    private let ring: Mutex<RequestRing>

    init(_ limits: Limits) {
        ring = Mutex(RequestRing(count: limits.loggedRequests, bytes: limits.loggedRequestBytes))
    }

    /// Adds a request that was answered. Returns at once.
    package func add(_ request: LoggedRequest) { ring.withLock { $0.add(request) } }

    /// Returns a page of at most `pageSize` requests that a filter admits, newest first. They are the newest
    /// of all; with `filter.after`, the oldest after that request, so that a reader who polls misses none.
    package func page(_ filter: RequestFilter) -> [LoggedRequest] {
        ring.withLock { ring in
            filter.after == nil
                ? ring.newest(Self.pageSize, filter) : ring.oldest(Self.pageSize, filter).reversed()
        }
    }

    /// The maximum number of requests in a page.
    package static let pageSize = 100
}
