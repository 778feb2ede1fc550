import Directory
import Records

/// What is known of a session and of the person behind it.
struct KnownSession: Sendable {
    var session: Session
    var account: Account
    /// The person's record names in the containers that were asked for.
    var recordNames: [String: String] = [:]
}

/// Sessions by the hash of their secret; forgotten wholesale when there are too many, and when anything is
/// changed about people.
struct SessionCache: Sendable {
    private var known: [[UInt8]: KnownSession] = [:]
    /// Counts how often all was forgotten, so that nothing read before that is remembered after it.
    private(set) var generation = 0
    private static let capacity = 50_000
    /// Tokens that were proven to be ours, by their text.
    private var proven: [String: WebAuthToken] = [:]

    /// Sessions that have ended, by their numbers, until the tickets that were made for them have expired.
    private var ended: [Int64: Timestamp] = [:]
    private var sweepAt = 4096

    /// Whether a session is known to have ended.
    func hasEnded(_ number: Int64) -> Bool { ended[number] != nil }

    /// Forgets sessions that have ended, and remembers until a time that they have.
    mutating func end(_ hashes: [[UInt8]], at now: Timestamp, until time: Timestamp) {
        generation += 1
        for hash in hashes {
            known[hash] = nil
            ended[CallerSession.number(of: hash)] = time
        }
        guard ended.count > sweepAt else { return }
        ended = ended.filter { now < $0.value }
        sweepAt = max(4096, ended.count * 2)
    }

    func token(_ text: String) -> WebAuthToken? { proven[text] }

    /// Remembers a token whose proof was checked.
    mutating func remember(_ token: WebAuthToken, as text: String) {
        if proven.count >= Self.capacity { proven.removeAll() }
        proven[text] = token
    }

    subscript(hash: [UInt8]) -> KnownSession? { known[hash] }

    /// Remembers what was read from the directory in that generation.
    mutating func remember(_ session: KnownSession, as hash: [UInt8], readIn generation: Int) {
        guard generation == self.generation else { return }
        if known.count >= Self.capacity { known.removeAll() }
        known[hash] = session
    }

    /// Notes that a session was noted as seen.
    mutating func touch(_ hash: [UInt8], at time: Timestamp) {
        known[hash]?.session.seen = time
    }

    /// Forgets everything, after something that is kept here was changed or removed.
    mutating func forget() {
        generation += 1
        known.removeAll()
    }
}
