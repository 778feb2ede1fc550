import Crypto
import Directory
import RecordStore
import Records
import Synchronization

/// Begins and ends sessions, and finds the person to whom a web auth token belongs.
package final class SessionService: Sendable {
    private let context: ServiceContext
    private let containerRegistry: ContainerRegistry
    private let devices: DeviceService
    private let cache = Mutex(SessionCache())
    /// Key of the authentication codes in web auth tokens.
    private let tokenKey: SymmetricKey

    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, devices: DeviceService,
        tokenKey: SymmetricKey
    ) {
        self.context = context
        self.containerRegistry = containerRegistry
        self.devices = devices
        self.tokenKey = tokenKey
    }

    /// Empties the cache, after something about sessions or people was changed or removed.
    func clearCache() { cache.withLock { $0.forget() } }

    /// Whether a session goes on, given by its number in tickets; 0 stands for no session, which never ends.
    ///
    /// A session that this process does not know, because it began at another node or before a restart, is
    /// looked up in the directory.
    func isValid(_ number: Int64) async throws -> Bool {
        if number == 0 { return true }
        let (known, generation) = cache.withLock { ($0.isValid(number), $0.generation) }
        if let known { return known }
        let (first, last) = CallerSession.hashes(numbered: number)
        guard try await context.directory.hasSession(from: first, through: last) else { return false }
        cache.withLock { $0.rememberValid(number, readIn: generation) }
        return true
    }

    /// Ends the session of a web auth token. Does nothing for an unknown session.
    package func end(of text: String) async throws {
        guard let token = WebAuthToken(text: text, key: tokenKey) else { return }
        await cleanUp(after: try await context.directory.removeSession(hash: token.hash))
    }

    /// Ends all sessions that were begun without proof of identity while the server was open, with their
    /// devices. A closed server does this before it answers requests.
    package func endOpenSessions() async throws {
        await cleanUp(after: try await context.directory.removeOpenSessions())
    }

    /// Begins a session and returns its first token.
    func newSession(
        of account: Account, place: ContainerKey?, lifetime: Int64?, isOpen: Bool = false
    ) async throws -> String {
        let token = WebAuthToken(secret: context.runtime.randomBytes(32), issued: context.runtime.now())
        let session = Session(
            account: account.id, place: place, lifetime: lifetime, seen: token.issued, isOpen: isOpen)
        await cleanUp(
            after: try await context.directory.addSession(
                hash: token.hash, session, limit: context.limits.sessionsPerPerson))
        return token.text(key: tokenKey)
    }

    /// Cleans up after ended sessions: their devices get no more pushes, the streams of these devices are
    /// closed, and their tickets for uploads and downloads are refused.
    func cleanUp(after ended: EndedSessions) async {
        if ended.hashes.isEmpty, ended.devices.isEmpty { return }
        refuse(ended.hashes)
        await devices.forget(ended.devices, because: "its session has ended")
    }

    /// Refuses the tokens of ended sessions, and their tickets for uploads and downloads.
    func refuse(_ hashes: [[UInt8]]) {
        let now = context.runtime.now()
        // Twice the lifetime of a ticket, since requests in progress may still create some.
        let lifetime = max(context.limits.uploadSeconds, context.limits.downloadSeconds)
        let until = now.advanced(bySeconds: 2 * Int64(lifetime))
        cache.withLock { $0.end(hashes, at: now, until: until) }
    }

    // MARK: Identity

    /// Sets the identity, session and next token of a caller who sent a web auth token.
    ///
    /// Throws `authenticationFailed` for a token that this installation did not write or that is for another
    /// container, and `authenticationRequired` if the session has ended.
    func identify(_ caller: inout Caller, by text: String) async throws {
        let proven = cache.withLock { $0.token(text) }
        guard let token = proven ?? WebAuthToken(text: text, key: tokenKey) else {
            throw RecordError.refused(
                "the web auth token is not valid", "ckWebAuthToken", next: "sign in again to get a new one")
        }
        let now = context.runtime.now()
        let hash = token.hash
        guard var known = try await session(hash, in: caller.container),
            context.isOpen || !known.session.isOpen
        else { throw RecordError.sessionEnded }
        if let lifetime = known.session.lifetime, token.issued.advanced(bySeconds: lifetime) <= now {
            throw RecordError.sessionEnded
        }
        if let place = known.session.place,
            place != ContainerKey(caller)
        {
            throw RecordError.refused(
                "the web auth token is for another container or environment", "ckWebAuthToken",
                next: "sign in to this one"
            )
        }
        try await recordUse(of: &known.session, hash, at: now)
        caller.session = CallerSession(hash: hash, isOpen: known.session.isOpen)
        caller.nextToken = nextToken(after: token, text, at: now)
        caller.obstacle = known.account.status.obstacle
        if caller.obstacle == nil { caller.identity = .person(known.recordNames[caller.container] ?? "") }
    }

    /// The token for the answer: the same one for its first minute, then a new one, because each new one
    /// costs a signature.
    private func nextToken(after token: WebAuthToken, _ text: String, at now: Timestamp) -> String {
        if now < token.issued.advanced(bySeconds: 60) {
            cache.withLock { $0.remember(token, as: text) }
            return text
        }
        return WebAuthToken(secret: token.secret, issued: now).text(key: tokenKey)
    }

    private func session(_ hash: [UInt8], in container: String) async throws -> KnownSession? {
        let (known, generation) = cache.withLock { ($0[hash], $0.generation) }
        if let known, known.recordNames[container] != nil { return known }
        guard let (session, account) = try await context.directory.session(hash: hash) else { return nil }
        var found = KnownSession(
            session: session, account: account, recordNames: known?.recordNames ?? [:])
        try await containerRegistry.createIfNeeded(container)
        let name = try await recordName(of: account, in: container)
        found.recordNames[container] = name
        let fresh = found
        cache.withLock { $0.remember(fresh, as: hash, readIn: generation) }
        return found
    }

    /// Stores in the directory that a session is in use, at most once in a quarter of its lifetime.
    private func recordUse(of session: inout Session, _ hash: [UInt8], at now: Timestamp) async throws {
        guard let lifetime = session.lifetime, session.seen.advanced(bySeconds: lifetime / 4) <= now else {
            return
        }
        try await context.directory.touchSession(hash: hash, at: now)
        cache.withLock { $0.touch(hash, at: now) }
    }

    /// The record name of a person in a container, created on first use.
    func recordName(of account: Account, in container: String) async throws -> String {
        try await context.directory.userRecordName(
            of: account, in: container, candidate: "_" + context.runtime.randomHex(bytes: 16)
        )
    }
}

extension RecordError {
    /// The error for a session that has ended.
    static let sessionEnded = RecordError(
        .authenticationRequired, "the session has ended", culprit: "ckWebAuthToken",
        nextStep: "sign in again, and send the new web auth token"
    )
}
