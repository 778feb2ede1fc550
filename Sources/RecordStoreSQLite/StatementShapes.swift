// Owns the bound on how many different queries a connection keeps prepared.

import Synchronization

/// Admits a number of statement texts to the cache, those that are seen first. Clients combine conditions as
/// they like, so without a bound the caches would grow for ever.
final class StatementShapes: Sendable {
    private let hashes = Mutex<Set<Int>>([])
    private let limit: Int

    init(limit: Int = 512) {
        self.limit = limit
    }

    func mayKeep(_ text: String) -> Bool {
        let hash = text.hashValue
        return hashes.withLock { hashes in
            if hashes.contains(hash) { return true }
            if hashes.count >= limit { return false }
            hashes.insert(hash)
            return true
        }
    }
}
