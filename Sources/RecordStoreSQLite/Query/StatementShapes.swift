import Synchronization

/// Decides which SQL texts stay in the statement cache: the first ones, until they have `limit` bytes
/// together. Clients can combine conditions in any number of ways, and a prepared statement is many times
/// larger than its text.
final class StatementShapes: Sendable {
    private struct State {
        /// For each admitted text, by its hash, whether it sorts; nil while that is not known.
        var admitted: [Int: Bool?] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    /// The maximum size of a cached text in bytes. Longer ones, such as those with long lists of values, are
    /// not cached.
    private static let longest = 4096

    /// - Parameter limit: bytes of all cached texts together.
    init(limit: Int = 131_072) {
        self.limit = limit
    }

    func mayKeep(_ text: String) -> Bool {
        state.withLock { Self.mayKeep(text, text.hashValue, limit, &$0) }
    }

    /// Returns whether a statement stays cached, and whether it sorts. `look` asks SQLite for the latter,
    /// once for each text that is cached.
    func shape(
        of text: String, _ look: () throws -> Bool
    ) rethrows -> (isKept: Bool, sorts: Bool) {
        let hash = text.hashValue
        let (isKept, known) = state.withLock { state in
            let isKept = Self.mayKeep(text, hash, limit, &state)
            return (isKept, state.admitted[hash] ?? nil)
        }
        if isKept, let known { return (true, known) }
        let sorts = try look()
        if isKept { state.withLock { $0.admitted[hash] = .some(sorts) } }
        return (isKept, sorts)
    }

    private static func mayKeep(_ text: String, _ hash: Int, _ limit: Int, _ state: inout State) -> Bool {
        let length = text.utf8.count
        if length > longest { return false }
        if state.admitted[hash] != nil { return true }
        if state.bytes + length > limit { return false }
        state.admitted[hash] = .some(nil)
        state.bytes += length
        return true
    }
}
