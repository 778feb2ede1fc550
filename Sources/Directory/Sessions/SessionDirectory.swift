package import Records

/// Stores the sessions of people who are signed in.
///
/// - A session is found by the hash of its token, with its account.
/// - A session is known to exist by a range that its hash lies in.
/// - Adding a session for a missing account fails with `notFound`.
/// - Adding a second session with the same hash fails with `exists`.
/// - A person's sessions in a container are limited; one more ends the least recently used one.
/// - Sessions that are valid in all containers are counted separately.
/// - A session keeps the latest time of use.
/// - Ending a session removes the devices that were registered in it.
/// - Ending all sessions of a person removes all devices of the person.
/// - The sessions that open servers created are ended together.
/// - A session is forgotten two lifetimes after its last use; one without a lifetime stays.
package protocol SessionDirectory: Sendable {
    /// Adds a session under the hash of its token. If the person already has `limit` sessions in that
    /// container, ends the least recently used one. Throws `notFound` for a missing account, and `exists` for
    /// a hash that is in use.
    func addSession(hash: [UInt8], _ session: Session, limit: Int) async throws -> EndedSessions

    /// The session with its account; nil if there is none.
    func session(hash: [UInt8]) async throws -> (session: Session, account: Account)?

    /// Whether there is a session whose hash lies between two, both included, in the order of their bytes.
    func hasSession(from first: [UInt8], through last: [UInt8]) async throws -> Bool

    /// Stores the time at which a session was used, unless a later one is stored.
    func touchSession(hash: [UInt8], at time: Timestamp) async throws

    /// Ends a session, and removes the devices that were registered in it.
    func removeSession(hash: [UInt8]) async throws -> EndedSessions

    /// Ends all sessions of an account, and removes all its devices.
    func removeSessions(of account: String) async throws -> EndedSessions

    /// Ends all sessions that open servers began without proof of identity, and removes the devices that were
    /// registered in them.
    func removeOpenSessions() async throws -> EndedSessions

    /// Deletes the sessions for which `SessionRules.isForgotten` is true at that time. The devices that were
    /// registered in them stay.
    func forgetSessions(at time: Timestamp) async throws
}
