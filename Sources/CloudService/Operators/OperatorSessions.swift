import Records

/// The sessions of the console, and the links that begin one. They are lost when the server stops.
///
/// Sessions and links are stored under hashes of their tokens.
struct OperatorSessions: Sendable {
    /// The person behind a session.
    enum Holder: Hashable, Sendable {
        /// A developer on the machine of an open server.
        case developer
        /// A holder of the operator's key, who can create links.
        case keyHolder
        /// The operator of this name.
        case account(String)
    }

    struct Session: Sendable {
        let holder: Holder
        /// The stored hash of the operator's password when the session began; nil for other holders.
        let password: String?
        let began: Timestamp
        var seen: Timestamp
        /// The message that the next page shows.
        var notice: String?
        /// Web auth tokens of the people as whom the operator has signed in, by container and environment.
        var people: [ContainerKey: String] = [:]
    }

    private var sessions: [[UInt8]: Session] = [:]
    /// When each unused link expires.
    private var links: [[UInt8]: Timestamp] = [:]

    /// Number of stored sessions and links.
    var count: Int { sessions.count + links.count }

    /// Seconds without a request after which a session ends.
    static let idleSeconds: Int64 = 1800
    /// The maximum number of sessions of all operators together.
    static let capacity = 1000

    /// Adds a link. If there are then more than `operatorSessions` unused links, removes the oldest one.
    mutating func add(link hash: [UInt8], at now: Timestamp, _ limits: Limits) {
        links = links.filter { now < $0.value }
        while links.count >= max(1, limits.operatorSessions),
            let oldest = links.min(by: { $0.value < $1.value })
        {
            links[oldest.key] = nil
        }
        links[hash] = now.advanced(bySeconds: Int64(limits.operatorLinkSeconds))
    }

    /// Whether a link can be used.
    func isValid(link hash: [UInt8], at now: Timestamp) -> Bool { links[hash].map { now < $0 } ?? false }

    /// Invalidates a link. Returns whether it was valid.
    mutating func use(link hash: [UInt8], at now: Timestamp) -> Bool {
        links.removeValue(forKey: hash).map { now < $0 } ?? false
    }

    /// Begins a session. If its holder then has more than `operatorSessions`, or all holders together more
    /// than `capacity`, ends the least recently used one.
    mutating func begin(
        _ hash: [UInt8], of holder: Holder, password: String? = nil, at now: Timestamp, _ limits: Limits
    ) {
        sessions = sessions.filter { isRunning($0.value, at: now, limits) }
        let own = sessions.filter { $0.value.holder == holder }
        if own.count >= max(1, limits.operatorSessions) { endOldest(of: own) }
        if sessions.count >= Self.capacity { endOldest(of: sessions) }
        sessions[hash] = Session(holder: holder, password: password, began: now, seen: now)
    }

    /// Returns a session and counts it as used now; nil for one that does not exist or has ended. Removes the
    /// session's notice, which only this result has.
    mutating func use(_ hash: [UInt8], at now: Timestamp, _ limits: Limits) -> Session? {
        guard var session = sessions[hash] else { return nil }
        guard isRunning(session, at: now, limits) else {
            sessions[hash] = nil
            return nil
        }
        session.seen = max(session.seen, now)
        sessions[hash] = session
        sessions[hash]?.notice = nil
        return session
    }

    /// The web auth token of the person as whom a session's operator has signed in; nil if the operator has
    /// not, or the session has ended. Leaves the session's notice for the next page.
    func person(
        at place: ContainerKey, of hash: [UInt8], at now: Timestamp, _ limits: Limits
    ) -> String? {
        guard let session = sessions[hash], isRunning(session, at: now, limits) else { return nil }
        return session.people[place]
    }

    /// Ends a session. Returns the web auth tokens of the people as whom its operator has signed in.
    mutating func end(_ hash: [UInt8]) -> [String] {
        sessions.removeValue(forKey: hash).map { Array($0.people.values) } ?? []
    }

    mutating func setNotice(_ text: String, of hash: [UInt8]) { sessions[hash]?.notice = text }

    mutating func setPerson(_ token: String?, at place: ContainerKey, of hash: [UInt8]) {
        sessions[hash]?.people[place] = token
    }

    private func isRunning(_ session: Session, at now: Timestamp, _ limits: Limits) -> Bool {
        now < session.seen.advanced(bySeconds: Self.idleSeconds)
            && now < session.began.advanced(bySeconds: Int64(limits.operatorSessionSeconds))
    }

    private mutating func endOldest(of some: [[UInt8]: Session]) {
        if let oldest = some.min(by: { $0.value.seen < $1.value.seen }) { sessions[oldest.key] = nil }
    }
}
