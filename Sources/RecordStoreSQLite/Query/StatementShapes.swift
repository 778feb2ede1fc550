import Synchronization

/// Admits statement texts to the cache, those that are seen first, until they have so many bytes together.
/// Clients combine conditions as they like, and a prepared statement is many times as large as its text.
final class StatementShapes: Sendable {
    private let admitted = Mutex<(hashes: Set<Int>, bytes: Int)>(([], 0))
    private let limit: Int
    /// Longer texts, such as those with long lists of values, are not kept.
    private static let longest = 4096

    /// - Parameter limit: bytes of all texts together.
    init(limit: Int = 131_072) {
        self.limit = limit
    }

    func mayKeep(_ text: String) -> Bool {
        let length = text.utf8.count
        if length > Self.longest { return false }
        let hash = text.hashValue
        return admitted.withLock { admitted in
            if admitted.hashes.contains(hash) { return true }
            if admitted.bytes + length > limit { return false }
            admitted.hashes.insert(hash)
            admitted.bytes += length
            return true
        }
    }
}
