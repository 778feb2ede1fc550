package import Records
import Synchronization

/// Keeps the last requests in memory, for operators who look for an error. A restart forgets them.
package final class RequestHistory: Sendable {
    private let ring: Mutex<RequestRing>

    init(_ limits: Limits) {
        ring = Mutex(RequestRing(count: limits.loggedRequests, bytes: limits.loggedRequestBytes))
    }

    /// Adds a request that was answered. Returns at once.
    package func add(_ request: LoggedRequest) { ring.withLock { $0.add(request) } }

    /// A page of the requests that a filter admits, newest first, at most 100; with `after`, the oldest of
    /// them, so that a reader who follows misses none.
    package func page(_ filter: RequestFilter) -> [LoggedRequest] {
        ring.withLock { ring in
            filter.after == nil
                ? ring.newest(Self.pageSize, filter) : ring.oldest(Self.pageSize, filter).reversed()
        }
    }

    /// Entries of one page.
    package static let pageSize = 100
}
