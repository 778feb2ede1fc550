import Directory
import Records

/// A session with its account, as cached.
struct KnownSession: Sendable {
    var session: Session
    var account: Account
    /// The person's record names that were looked up so far, keyed by container.
    var recordNames: [String: String] = [:]
}

/// Caches sessions by the hash of their secret. Emptied when it is full and when anything about people
/// changes.
struct SessionCache: Sendable {
    private var known: [[UInt8]: KnownSession] = [:]
    /// Incremented when entries are removed. A session that was read before that is not stored after it.
    private(set) var generation = 0
    private static let capacity = 50_000
    /// Verified web auth tokens, by their text.
    private var proven: [String: WebAuthToken] = [:]

    /// Ended sessions, by their numbers, until all tickets made for them have expired.
    private var ended: [Int64: Timestamp] = [:]
    private var sweepAt = 4096
    /// The numbers of sessions that were found in the directory.
    private var valid: Set<Int64> = []

    /// Whether the session with this number, which a ticket has, goes on; nil if that is unknown, as after a
    /// restart.
    func isValid(_ number: Int64) -> Bool? {
        if ended[number] != nil { return false }
        return valid.contains(number) ? true : nil
    }

    /// Stores that a session was found in the directory in the given generation.
    mutating func rememberValid(_ number: Int64, readIn generation: Int) {
        guard generation == self.generation else { return }
        if valid.count >= Self.capacity { valid.removeAll() }
        valid.insert(number)
    }

    /// Removes ended sessions, and remembers until `time` that they have ended.
    mutating func end(_ hashes: [[UInt8]], at now: Timestamp, until time: Timestamp) {
        generation += 1
        for hash in hashes {
            known[hash] = nil
            let number = CallerSession.number(of: hash)
            valid.remove(number)
            ended[number] = time
        }
        guard ended.count > sweepAt else { return }
        ended = ended.filter { now < $0.value }
        sweepAt = max(4096, ended.count * 2)
    }

    func token(_ text: String) -> WebAuthToken? { proven[text] }

    /// Stores a token whose authentication code was verified.
    mutating func remember(_ token: WebAuthToken, as text: String) {
        if proven.count >= Self.capacity { proven.removeAll() }
        proven[text] = token
    }

    subscript(hash: [UInt8]) -> KnownSession? { known[hash] }

    /// Stores a session that was read from the directory in the given generation.
    mutating func remember(_ session: KnownSession, as hash: [UInt8], readIn generation: Int) {
        guard generation == self.generation else { return }
        if known.count >= Self.capacity { known.removeAll() }
        known[hash] = session
    }

    /// Sets the time at which a session was last seen.
    mutating func touch(_ hash: [UInt8], at time: Timestamp) {
        known[hash]?.session.seen = time
    }

    /// Empties the cache, after an account or session was changed or removed.
    mutating func forget() {
        generation += 1
        known.removeAll()
        valid.removeAll()
    }
}
