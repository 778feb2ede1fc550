import Directory
package import Records
import Synchronization

/// An operator who is signed in to the console.
package struct OperatorVisitor: Hashable, Sendable {
    /// The name and the roles as of this request.
    package var account: OperatorAccount
    /// The hash of the session's token in hexadecimal, to which forms are tied.
    package var session: String
    /// A message that the page shows once.
    package var notice: String?
}

/// Signs operators in to the console, manages their accounts, and keeps the audit log.
package final class OperatorService: Sendable {
    let context: ServiceContext
    private let passwords: PasswordHasher
    private let limiter = Mutex(SignInLimiter())
    private let sessions = Mutex(OperatorSessions())

    init(_ context: ServiceContext, passwords: PasswordHasher) {
        self.context = context
        self.passwords = passwords
    }

    /// The names under which the audit log shows people without an account. No account can have them, because
    /// they contain spaces.
    package static let keyHolderName = "operator key"
    package static let developerName = "open server"

    // MARK: Sessions

    /// Makes a token for a link to the console. The link can be used for one sign-in.
    package func newLink() -> String {
        let token = context.runtime.randomHex(bytes: 32)
        let (hash, now, limits) = (CredentialService.hash(token), context.runtime.now(), context.limits)
        sessions.withLock { $0.add(link: hash, at: now, limits) }
        return token
    }

    /// Whether a link can still be used.
    package func isValid(link token: String) -> Bool {
        let (hash, now) = (CredentialService.hash(token), context.runtime.now())
        return sessions.withLock { $0.isValid(link: hash, at: now) }
    }

    /// Signs in by a link, and returns the token of the session. Throws `authenticationFailed` for a link
    /// that was used before or is too old.
    package func signIn(link token: String) throws -> String {
        let (hash, now) = (CredentialService.hash(token), context.runtime.now())
        guard sessions.withLock({ $0.use(link: hash, at: now) }) else {
            throw RecordError.refused(
                "the link was used before, or is too old", "link", next: "make another: cloudlet console")
        }
        return begin(.keyHolder)
    }

    /// Begins a session on a server that is open for development, and returns its token. Throws
    /// `accessDenied` on other servers.
    package func signInOnOpenServer() throws -> String {
        try context.checkDevelopment("console")
        return begin(.developer)
    }

    /// Signs in by a password, and returns the token of the session.
    ///
    /// Throws `authenticationFailed` with the same text, and after the same time, for an unknown operator and
    /// for a wrong password, and `throttled` after too many attempts.
    package func signIn(_ attempt: SignInAttempt) async throws -> String {
        let guess = SignInLimiter.Attempt(account: attempt.name.lowercased(), address: attempt.address)
        let now = context.runtime.now()
        if let wait = limiter.withLock({ $0.begin(guess, at: now) }) {
            throw RecordError(
                .throttled, "too many attempts to sign in", culprit: "password",
                nextStep: "wait, then try again", retryAfter: wait)
        }
        let isRight: Bool
        let stored: String?
        do {
            let found =
                NameRules.canBeLookedUp(attempt.name)
                ? try await context.directory.operatorAccount(named: attempt.name) : nil
            stored = found?.password
            let hash = stored.flatMap { StoredPassword(text: $0) }?.hash
            let password = attempt.password.beginning(bytes: AccountInput.passwordBytes + 1)
            isRight = try await passwords.check(password, against: hash, for: .address(attempt.address))
        } catch {
            limiter.withLock { $0.takeBack(guess) }
            throw error
        }
        guard isRight else {
            throw RecordError.refused(
                "the name or the password is wrong", "password", next: "check both, then try again")
        }
        limiter.withLock { $0.succeeded(guess, at: now) }
        return begin(.account(attempt.name), password: stored)
    }

    private func begin(_ holder: OperatorSessions.Holder, password: String? = nil) -> String {
        let token = context.runtime.randomHex(bytes: 32)
        let (hash, now, limits) = (CredentialService.hash(token), context.runtime.now(), context.limits)
        sessions.withLock { $0.begin(hash, of: holder, password: password, at: now, limits) }
        return token
    }

    /// The operator of a session's token; nil if the session has ended, the operator was removed, or the
    /// password was changed, which another node may have done.
    package func visitor(_ token: String) async throws -> OperatorVisitor? {
        let (hash, now, limits) = (CredentialService.hash(token), context.runtime.now(), context.limits)
        guard let session = sessions.withLock({ $0.use(hash, at: now, limits) }) else { return nil }
        let account: OperatorAccount
        switch session.holder {
        case .developer: account = OperatorAccount(name: Self.developerName, role: .admin)
        case .keyHolder: account = OperatorAccount(name: Self.keyHolderName, role: .admin)
        case .account(let name):
            guard let found = try await context.directory.operatorAccount(named: name),
                found.password == session.password
            else { return nil }
            account = found.account
        }
        return OperatorVisitor(account: account, session: hash.hexadecimal, notice: session.notice)
    }

    /// Ends the session of a token. Returns the web auth tokens of the people as whom its operator has signed
    /// in, which the caller has to end.
    package func signOut(_ token: String) -> [String] {
        let hash = CredentialService.hash(token)
        return sessions.withLock { $0.end(hash) }
    }

    /// Sets the message that the next page of a session shows.
    package func setNotice(_ text: String, for token: String) {
        let hash = CredentialService.hash(token)
        sessions.withLock { $0.setNotice(text, of: hash) }
    }

    // MARK: Signing in as a person

    /// The web auth token of the person as whom an operator has signed in; nil if the operator has not.
    package func person(
        in container: String, _ environment: CloudEnvironment, for token: String
    ) -> String? {
        let (hash, now, limits) = (CredentialService.hash(token), context.runtime.now(), context.limits)
        let place = ContainerKey(container: container, environment: environment)
        return sessions.withLock { $0.person(at: place, of: hash, at: now, limits) }
    }

    /// Stores the web auth token of such a person for a session; nil removes it.
    package func setPerson(
        _ person: String?, in container: String, _ environment: CloudEnvironment, for token: String
    ) {
        let hash = CredentialService.hash(token)
        let place = ContainerKey(container: container, environment: environment)
        sessions.withLock { $0.setPerson(person, at: place, of: hash) }
    }

    // MARK: Accounts

    /// All operators who have an account, sorted by name.
    package func all() async throws -> [OperatorAccount] { try await context.directory.operators() }

    /// Gives an operator a role in one container, or in all; nil removes the role. With a password, adds a
    /// missing operator, or replaces the password of an existing one, which ends the operator's sessions.
    ///
    /// Throws `badRequest` for an invalid name or password and for the last role of an operator,
    /// `badContainer` for a container that does not exist, `limitExceeded` if there are too many operators,
    /// and without a password `notFound` for a missing operator.
    package func set(
        _ role: OperatorRole?, of name: String, in container: String?, password: String?
    ) async throws -> OperatorAccount {
        try NameRules.checkPersonName(name)
        if role != nil, let container, try await context.directory.container(container) == nil {
            throw RecordError.noContainer(container)
        }
        let known = try await context.directory.operatorAccount(named: name)?.account
        var account = known ?? OperatorAccount(name: name, created: context.runtime.now())
        if let container { account.containers[container] = role } else { account.role = role }
        if role == nil {
            guard known != nil else { throw OperatorRules.missing(name) }
            if account.role == nil, account.containers.isEmpty {
                throw RecordError(
                    .badRequest, "the operator would have no role", culprit: name,
                    nextStep: "remove the operator: cloudlet operator remove \(name)")
            }
        }
        var hash: String?
        if let password {
            try AccountInput.checkPassword(password)
            let salt = context.runtime.randomBytes(16)
            let made = try await passwords.hash(password, salt: salt, for: .account("operator:" + name))
            hash = StoredPassword(hash: made, isProven: true).text
        }
        if known != nil {
            try await context.directory.change(account, password: hash)
            return account
        }
        guard let hash else { throw OperatorRules.missing(name) }
        if try await context.directory.operators().count >= context.limits.operators {
            throw RecordError(
                .limitExceeded, "a server has at most \(context.limits.operators) operators", culprit: name,
                nextStep: "remove one first: cloudlet operator remove NAME")
        }
        try await context.directory.add(account, password: hash)
        return account
    }

    /// Removes an operator, which ends the operator's sessions. Throws `notFound` for a missing one.
    package func remove(_ name: String) async throws {
        try await context.directory.removeOperator(named: name)
    }

    // MARK: Audit log

    /// Adds a change to the audit log, and returns its number. Sets the time, and shortens texts that are too
    /// long.
    @discardableResult
    package func log(_ entry: AuditEntry) async throws -> Int64 {
        try await context.directory.addAuditEntry(kept(entry), limit: context.limits.auditEntries)
    }

    /// Replaces an entry of the audit log, as `log` adds one; nil removes it.
    func replace(_ number: Int64, by entry: AuditEntry?) async throws {
        try await context.directory.replaceAuditEntry(number, by: entry.map(kept))
    }

    private func kept(_ entry: AuditEntry) -> AuditEntry {
        var entry = entry
        entry.at = context.runtime.now()
        let bytes = context.limits.auditTextBytes
        entry.subject = entry.subject.beginning(bytes: 512)
        entry.before = entry.before?.beginning(bytes: bytes)
        entry.after = entry.after?.beginning(bytes: bytes)
        return entry
    }

    /// A page of the audit log, newest first, at most 100 entries.
    ///
    /// - Parameters:
    ///   - container: the only container whose entries are wanted; nil: all entries.
    ///   - number: the number of the last entry of the page before; nil: the first page.
    package func audit(of container: String?, before number: Int64?) async throws -> [AuditEntry] {
        try await context.directory.auditEntries(of: container, before: number, limit: 100)
    }
}
