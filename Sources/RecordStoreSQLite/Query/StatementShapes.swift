import Synchronization

/// Decides which SQL texts stay in the statement cache: the first ones, until they have `limit` bytes
/// together. Clients can combine conditions in any number of ways, and a prepared statement is many times
/// larger than its text.
///
/// After `patience` requests for texts that found no room, all texts are forgotten and the next ones stay. So
/// rare texts do not keep out frequent ones for good.
final class StatementShapes: Sendable {
    private struct State {
        /// For each admitted text, by its hash, whether it sorts; nil while that is not known.
        var admitted: [Int: Bool?] = [:]
        var bytes = 0
        /// The requests for texts that found no room.
        var refusals = 0
    }

    private let state = Mutex(State())
    private let renewals = Atomic(0)
    private let limit: Int
    private let patience: Int
    /// The maximum size of a cached text in bytes. Longer ones, such as those with long lists of values, are
    /// not cached.
    private static let longest = 4096

    /// - Parameters:
    ///   - limit: bytes of all cached texts together.
    ///   - patience: the number of requests for texts without room after which all texts are forgotten.
    init(limit: Int = 131_072, patience: Int = 1000) {
        self.limit = limit
        self.patience = patience
    }

    /// How often all texts were forgotten. When it grows, connections drop their cached statements.
    var generation: Int { renewals.load(ordering: .acquiring) }

    func mayKeep(_ text: String) -> Bool {
        state.withLock { mayKeep(text, text.hashValue, &$0) }
    }

    /// Returns whether a statement stays cached, and whether it sorts. `look` asks SQLite for the latter,
    /// once for each text that is cached.
    func shape(
        of text: String, _ look: () throws -> Bool
    ) rethrows -> (isKept: Bool, sorts: Bool) {
        let hash = text.hashValue
        let (isKept, known) = state.withLock { state in
            let isKept = mayKeep(text, hash, &state)
            return (isKept, state.admitted[hash] ?? nil)
        }
        if isKept, let known { return (true, known) }
        let sorts = try look()
        state.withLock { state in
            // The text may have been forgotten meanwhile.
            if state.admitted[hash] != nil { state.admitted[hash] = .some(sorts) }
        }
        return (isKept, sorts)
    }

    private func mayKeep(_ text: String, _ hash: Int, _ state: inout State) -> Bool {
        let length = text.utf8.count
        if length > Self.longest { return false }
        if state.admitted[hash] != nil { return true }
        if state.bytes + length > limit {
            state.refusals += 1
            if state.refusals < patience || length > limit { return false }
            state = State()
            renewals.wrappingAdd(1, ordering: .releasing)
        }
        state.admitted[hash] = .some(nil)
        state.bytes += length
        return true
    }
}
