import Crypto
import Directory
package import Records
import Synchronization

extension CloudService {
    /// Throws `accessDenied` unless the server is open to all comers, as one for development is.
    package func checkDevelopment(_ culprit: String) throws(RecordError) {
        if isOpen { return }
        throw RecordError(
            .accessDenied, "signing in by name is switched off", culprit: culprit,
            nextStep: "sign in with a password, or start the server with --open to develop against it"
        )
    }

    /// Signs a person in by name: for development, where the name is enough of somebody without a password.
    package func signIn(name: String, container: String?) async throws -> SignIn {
        try checkDevelopment("dev/sign-in")
        try NameRules.checkPersonName(name)
        if let container { try await settle(container) }
        let account = try await namedAccount(name)
        if account.hasPassword {
            throw RecordError.refused(
                "this person has a password", name, next: "sign in with it: sign-in \(name) --password")
        }
        try await directory.forgetSessions(at: seams.now())
        let token = try await newSession(
            of: account, place: nil, lifetime: Int64(limits.longSessionSeconds), isOpen: true)
        var userRecordName: String?
        if let container { userRecordName = try await recordName(of: account, in: container) }
        return SignIn(webAuthToken: token, userRecordName: userRecordName)
    }

    /// The account of a name that somebody says without a proof, made if there is none.
    ///
    /// Only an operator makes accounts whose names hold an @: they would be taken for e-mail addresses, which
    /// serve to sign in too. Throws `badRequest` for such a name, and `exists` for somebody's phone number.
    func namedAccount(_ name: String) async throws -> Account {
        if name.contains("@"), try await directory.account(signingInAs: name)?.name != name {
            throw RecordError(
                .badRequest, "nobody can give themselves a name with an @ in it", culprit: name,
                nextStep: "sign in with a name that has none"
            )
        }
        return try await directory.account(named: name, newID: seams.randomHex(bytes: 16), at: seams.now())
    }

    /// Ends all sessions that were begun without a proof while the server was open, with their devices: a
    /// closed server does this before it answers anybody.
    package func endOpenSessions() async throws {
        await finish(try await directory.removeOpenSessions())
    }

    /// Begins a session and returns its first token.
    func newSession(
        of account: Account, place: Session.Place?, lifetime: Int64?, isOpen: Bool = false
    ) async throws -> String {
        let token = WebAuthToken(secret: seams.randomBytes(32), issued: seams.now())
        let session = Session(
            account: account.id, place: place, lifetime: lifetime, seen: token.issued, isOpen: isOpen)
        await finish(
            try await directory.addSession(
                hash: token.hash, session, limit: limits.sessionsPerPerson))
        return token.text(key: tokenKey)
    }

    /// Ends what was asked for in sessions that have ended: their devices get no more pushes, the streams of
    /// these devices are closed, and download tickets are refused.
    func finish(_ ended: EndedSessions) async {
        if ended.hashes.isEmpty, ended.devices.isEmpty { return }
        let now = seams.now()
        // Requests under way may still make tickets.
        let until = now.advanced(bySeconds: 2 * Int64(limits.downloadSeconds))
        sessions.withLock { $0.end(ended.hashes, at: now, until: until) }
        await forget(ended.devices, because: "its session has ended")
    }

    // MARK: Whose

    /// Finds out whom a web auth token stands for.
    ///
    /// Throws `authenticationFailed` for one that we did not write or that is for another container, and
    /// `authenticationRequired` for one that was good once.
    func identify(_ caller: inout Caller, by text: String) async throws {
        let proven = sessions.withLock { $0.token(text) }
        guard let token = proven ?? WebAuthToken(text: text, key: tokenKey) else {
            throw RecordError.refused(
                "the web auth token is not valid", "ckWebAuthToken", next: "sign in again to get a new one")
        }
        let now = seams.now()
        let hash = token.hash
        guard var known = try await session(hash, in: caller.container), isOpen || !known.session.isOpen
        else { throw RecordError.sessionEnded }
        if let lifetime = known.session.lifetime, token.issued.advanced(bySeconds: lifetime) <= now {
            throw RecordError.sessionEnded
        }
        if let place = known.session.place,
            place != Session.Place(container: caller.container, environment: caller.environment)
        {
            throw RecordError.refused(
                "the web auth token is for another container or environment", "ckWebAuthToken",
                next: "sign in to this one"
            )
        }
        try await note(&known.session, hash, at: now)
        caller.session = CallerSession(hash: hash, isOpen: known.session.isOpen)
        caller.nextToken = nextToken(after: token, text, at: now)
        caller.obstacle = known.account.status.obstacle
        if caller.obstacle == nil { caller.identity = .person(known.recordNames[caller.container] ?? "") }
    }

    /// The token that an answer carries: a new one a minute, since each costs a proof.
    private func nextToken(after token: WebAuthToken, _ text: String, at now: Timestamp) -> String {
        if now < token.issued.advanced(bySeconds: 60) {
            sessions.withLock { $0.remember(token, as: text) }
            return text
        }
        return WebAuthToken(secret: token.secret, issued: now).text(key: tokenKey)
    }

    private func session(_ hash: [UInt8], in container: String) async throws -> KnownSession? {
        let (known, generation) = sessions.withLock { ($0[hash], $0.generation) }
        if let known, known.recordNames[container] != nil { return known }
        guard let (session, account) = try await directory.session(hash: hash) else { return nil }
        var found = KnownSession(
            session: session, account: account, recordNames: known?.recordNames ?? [:])
        try await settle(container)
        let name = try await recordName(of: account, in: container)
        found.recordNames[container] = name
        let fresh = found
        sessions.withLock { $0.remember(fresh, as: hash, readIn: generation) }
        return found
    }

    /// Writes down that a session is in use, four times in its lifetime at most.
    private func note(_ session: inout Session, _ hash: [UInt8], at now: Timestamp) async throws {
        guard let lifetime = session.lifetime, session.seen.advanced(bySeconds: lifetime / 4) <= now else {
            return
        }
        try await directory.touchSession(hash: hash, at: now)
        sessions.withLock { $0.touch(hash, at: now) }
    }

    func recordName(of account: Account, in container: String) async throws -> String {
        try await directory.userRecordName(
            of: account, in: container, candidate: "_" + seams.randomHex(bytes: 16)
        )
    }
}

extension AccountStatus {
    /// Why a person with an account of this status counts as nobody.
    var obstacle: RecordError? {
        switch self {
        case .available: nil
        case .restricted:
            RecordError(
                .accountRestricted, "the account is restricted", culprit: "account",
                nextStep: "ask whoever runs the server to lift the restriction"
            )
        case .temporarilyUnavailable:
            RecordError(
                .accountUnavailable, "the account is temporarily unavailable", culprit: "account",
                nextStep: "keep what you have, and try again when the account has been seen to"
            )
        }
    }
}

extension RecordError {
    /// The error for a session that was good once: sign in again.
    static let sessionEnded = RecordError(
        .authenticationRequired, "the session has ended", culprit: "ckWebAuthToken",
        nextStep: "sign in again, and send the new web auth token"
    )
}
