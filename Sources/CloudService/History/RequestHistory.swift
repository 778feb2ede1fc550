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

    /// Returns a page of at most `RequestFilter.pageSize` requests that a filter admits, newest first. They
    /// are the newest of all; with `filter.after`, the oldest after that request, so that a reader who polls
    /// misses none.
    package func page(_ filter: RequestFilter) -> Page {
        ring.withLock { ring in
            let limit = RequestFilter.pageSize
            let requests: [LoggedRequest] =
                filter.after == nil ? ring.newest(limit, filter) : ring.oldest(limit, filter).reversed()
            return Page(requests: requests, answered: ring.lastNumber, kept: ring.count)
        }
    }

    /// A page of requests, newest first.
    package struct Page: Sendable {
        package var requests: [LoggedRequest]
        /// The number of requests that were added since the server started.
        package var answered: Int64
        /// The number of those that are still kept: the newest ones.
        package var kept: Int

        /// Whether older requests are no longer kept.
        package var hasForgotten: Bool { answered > Int64(kept) }
    }
}
