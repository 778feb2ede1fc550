package import Records

/// Who is signed in.
///
/// - A session is found by the hash of its token, with its account.
/// - A missing account gets no session, but `notFound`.
/// - A token names one session; a second one of the same hash is refused.
/// - A person has so many sessions in a container; one more ends the session that was used longest ago.
/// - Sessions that are good in all containers are counted by themselves.
/// - A session was seen at the latest time that was noted.
/// - A session that ends takes the devices that were registered in it with it.
/// - A person who signs out everywhere loses all devices, of whichever session.
/// - The sessions that open servers made end together.
/// - A session is forgotten two lifetimes after its last use; one without a lifetime stays.
package protocol SessionDirectory: Sendable {
    /// Keeps a session under the hash of its token. If the person has `limit` sessions in that container
    /// already, the one used longest ago ends. Throws `notFound` for a missing account, `exists` for a hash
    /// that is there.
    func addSession(hash: [UInt8], _ session: Session, limit: Int) async throws -> EndedSessions

    /// The session with its account; nil if there is none.
    func session(hash: [UInt8]) async throws -> (session: Session, account: Account)?

    /// Notes that a session is in use.
    func touchSession(hash: [UInt8], at time: Timestamp) async throws

    /// Ends a session, with the devices that were registered in it.
    func removeSession(hash: [UInt8]) async throws -> EndedSessions

    /// Ends all sessions of an account, with all its devices.
    func removeSessions(of account: String) async throws -> EndedSessions

    /// Ends all sessions that open servers made for people who proved nothing, with the devices that were
    /// registered in them.
    func removeOpenSessions() async throws -> EndedSessions

    /// Forgets the sessions whose last token has run out at that time.
    func forgetSessions(at time: Timestamp) async throws
}
