import AssetStore
import Directory
package import Records
import Synchronization

/// The input of a sign-in form.
package struct SignInAttempt: Hashable, Sendable {
    /// Name or e-mail address.
    package var name: String
    package var password: String
    package var staysSignedIn: Bool
    /// The network address, for limiting attempts; nil for callers in this process.
    package var address: String?
    /// As much of the network address as the operator's log shows; nil for nothing.
    package var loggedAddress: String?

    package init(
        name: String, password: String, staysSignedIn: Bool, address: String?, loggedAddress: String? = nil
    ) {
        self.name = name
        self.password = password
        self.staysSignedIn = staysSignedIn
        self.address = address
        self.loggedAddress = loggedAddress
    }
}

/// Where a sign-in page sends the web auth token.
package enum SignInTarget: Hashable, Sendable {
    /// To the window that opened the page, if its content is from that origin.
    case message(origin: String)
    /// To that address, by redirecting the browser.
    case redirect(String)
    /// To the page of the share with that short GUID, as a cookie.
    case share(String)
}

extension PeopleService {
    // MARK: Sign-in page

    /// Returns a signed ticket for the address of the sign-in page. It contains the container and the app's
    /// API token.
    package func signInTicket(
        apiToken text: String?, origin: String?, container: String, environment: CloudEnvironment
    ) async throws -> String {
        var known: APIToken?
        if let text { known = try await credentials.apiToken(text) }
        return signer.sign(
            SignInTicket(
                container: container, environment: environment, apiToken: known?.id ?? "",
                origin: origin.flatMap { CallbackRules.origin(of: $0) } ?? "",
                expires: context.runtime.now().advanced(bySeconds: Int64(context.limits.signInSeconds))
            )
        )
    }

    /// Returns a signed ticket for signing in on the page of a share.
    package func signInTicket(toShare shortGUID: String, at place: ShareLocation) -> String {
        signer.sign(
            SignInTicket(
                container: place.container, environment: place.environment, apiToken: "", origin: "",
                share: shortGUID,
                expires: context.runtime.now().advanced(bySeconds: Int64(context.limits.signInSeconds))))
    }

    /// The person who visits a page of this server, identified by the session token in the browser's cookie.
    /// Anonymous without a token, and with one that is invalid, has ended, or is for another container.
    package func visitor(_ token: String?, at place: ShareLocation) async throws -> Caller {
        let nobody = Caller(
            container: place.container, environment: place.environment, identity: .anonymous)
        guard let token else { return nobody }
        var caller = nobody
        do {
            try await sessions.identify(&caller, by: token)
            return caller
        } catch let error as RecordError
            where error.code == .authenticationFailed || error.code == .authenticationRequired
        {
            return nobody
        }
    }

    /// Verifies and reads the ticket of a sign-in page. Throws `badRequest` for an invalid or expired one.
    package func signInTicket(_ text: String) throws -> SignInTicket {
        try signer.verify(text, now: context.runtime.now())
    }

    /// Where the page sends the web auth token. `own` is the page's own origin.
    ///
    /// Throws `authenticationFailed` when the API token was revoked or is not for pages of the origin that
    /// asked.
    package func signInTarget(of ticket: SignInTicket, own: String) async throws -> SignInTarget {
        if !ticket.share.isEmpty { return .share(ticket.share) }
        let asking = ticket.origin.isEmpty ? nil : ticket.origin
        if ticket.apiToken.isEmpty { return .message(origin: asking ?? own) }
        guard let token = try await context.directory.apiToken(id: ticket.apiToken), token.revoked == nil
        else {
            throw RecordError.refused(
                "the app may not ask people to sign in any more", "ckAPIToken",
                next: "go back to the app and load it again")
        }
        if case .redirect(let address) = token.callback { return .redirect(address) }
        if token.allowedOrigins.isEmpty { return .message(origin: asking ?? own) }
        guard let asking else { return .message(origin: token.allowedOrigins[0]) }
        if token.allowedOrigins.contains(asking) { return .message(origin: asking) }
        throw RecordError.refused(
            "the app does not allow pages of this origin", asking,
            next: "go back to the app and load it again")
    }

    /// Returns a ticket that ties a form to one browser and page, against cross-site request forgery. The
    /// browser sends it with the form.
    package func formTicket(browser: String, page: String) -> String {
        let expires = context.runtime.now().advanced(bySeconds: Int64(context.limits.signInSeconds))
        return signer.sign(FormTicket(browser: browser, context: page, expires: expires))
    }

    /// Throws `badRequest` unless the ticket was made for this browser and page.
    package func checkForm(_ csrfToken: String, browser: String?, page: String) throws {
        let form = try signer.verify(csrfToken, as: FormTicket.self, now: context.runtime.now())
        if form.browser != browser || form.context != page { throw FormTicket.refusal }
    }

    // MARK: By name

    /// Deletes old sessions from the directory, at most once in ten minutes, because that reads all sessions.
    private func forgetSessions() async throws {
        let now = context.runtime.now()
        let isDue = sessionsForgotten.withLock { last in
            // The clock may have been set back.
            if let last, last <= now, now < last.advanced(bySeconds: 600) { return false }
            last = now
            return true
        }
        if isDue { try await context.directory.forgetSessions(at: now) }
    }

    /// Signs a person in by name, on an open server. Throws `authenticationFailed` for a person who has a
    /// password.
    package func signIn(name: String, container: String?) async throws -> SignIn {
        try context.checkDevelopment("dev/sign-in")
        try NameRules.checkPersonName(name)
        if let container { try await containerRegistry.createIfNeeded(container) }
        let account = try await namedAccount(name)
        if account.hasPassword {
            throw RecordError.refused(
                "this person has a password", name, next: "sign in with it: sign-in \(name) --password")
        }
        try await forgetSessions()
        let token = try await sessions.newSession(
            of: account, place: nil, lifetime: Int64(context.limits.longSessionSeconds), isOpen: true)
        var userRecordName: String?
        if let container { userRecordName = try await sessions.recordName(of: account, in: container) }
        return SignIn(webAuthToken: token, userRecordName: userRecordName)
    }

    /// Returns the account with a name, creating it if necessary. No password is checked.
    ///
    /// Only an operator may create accounts whose names contain an @, because people also sign in by e-mail
    /// address. Throws `badRequest` for such a name, and `exists` for the phone number of another account.
    private func namedAccount(_ name: String) async throws -> Account {
        if name.contains("@"), try await context.directory.account(signingInAs: name)?.name != name {
            throw RecordError(
                .badRequest, "only the operator can add a name that contains an @", culprit: name,
                nextStep: "sign in with a name without an @"
            )
        }
        return try await context.directory.account(
            named: name, newID: context.runtime.randomHex(bytes: 16), at: context.runtime.now())
    }

    // MARK: By password

    /// Signs a person in to one environment of one container.
    ///
    /// Throws `authenticationFailed` with the same text, and after the same time, for an unknown person and
    /// for a wrong password; `throttled` after too many attempts; and the error of an account that is
    /// restricted or unavailable.
    package func signIn(
        _ attempt: SignInAttempt, container: String, environment: CloudEnvironment
    ) async throws -> SignIn {
        try await containerRegistry.createIfNeeded(container)
        let (account, isProven) = try await authenticated(attempt)
        if let obstacle = account.status.obstacle { throw obstacle }
        let lifetime =
            attempt.staysSignedIn ? context.limits.longSessionSeconds : context.limits.sessionSeconds
        try await forgetSessions()
        let token = try await sessions.newSession(
            of: account, place: ContainerKey(container: container, environment: environment),
            lifetime: Int64(lifetime), isOpen: !isProven
        )
        return SignIn(
            webAuthToken: token, userRecordName: try await sessions.recordName(of: account, in: container))
    }

    /// Returns the account that the attempt signs in to, after checking the password. On an open server the
    /// name is enough for an account without a password.
    private func authenticated(_ attempt: SignInAttempt) async throws -> (account: Account, isProven: Bool) {
        let name = try Self.trimmed(attempt.name)
        let found =
            NameRules.canBeLookedUp(name) ? try await context.directory.account(signingInAs: name) : nil
        if context.isOpen, attempt.password.isEmpty, found?.hasPassword != true {
            if let found { return (found, false) }
            try NameRules.checkPersonName(name)
            return (try await namedAccount(name), false)
        }
        // No account has an empty password, so this attempt is not counted. The error makes a program ask for
        // the password.
        if attempt.password.isEmpty { throw Self.wrongPassword }
        // Attempts are counted by the text that was entered. If they were counted by account, the waits would
        // reveal which name and which address belong together.
        let guess = SignInLimiter.Attempt(account: name.lowercased(), address: attempt.address)
        let now = context.runtime.now()
        if let wait = signInLimiter.withLock({ $0.begin(guess, at: now) }) {
            warnOfThrottledSignIn(from: attempt.loggedAddress, seconds: wait)
            throw RecordError(
                .throttled, "too many attempts to sign in", culprit: "password",
                nextStep: "wait, then try again", retryAfter: wait
            )
        }
        var stored: StoredPassword?
        let isRight: Bool
        do {
            if let found {
                stored = try await context.directory.password(of: found.id).flatMap(
                    StoredPassword.init(text:))
            }
            // A password that was set without proof of identity is valid on open servers only.
            let hash = context.isOpen || stored?.isProven == true ? stored?.hash : nil
            let password = attempt.password.beginning(bytes: AccountInput.passwordBytes + 1)
            isRight = try await passwords.check(password, against: hash, for: .address(attempt.address))
        } catch {
            // The attempt failed before the password was checked, so it must not count.
            signInLimiter.withLock { $0.takeBack(guess) }
            throw error
        }
        guard isRight, let found, let stored else {
            throw Self.wrongPassword
        }
        signInLimiter.withLock { $0.succeeded(guess, at: now) }
        return (found, stored.isProven)
    }

    private static var wrongPassword: RecordError {
        .refused("the name or the password is wrong", "password", next: "check both, then try again")
    }

    /// Logs a refused attempt, without the name.
    private func warnOfThrottledSignIn(from address: String?, seconds: Int) {
        context.runtime.refusals.tell(.signIn) {
            context.runtime.warn(
                "an attempt to sign in\(address.map { " from \($0)" } ?? "") was refused after too many "
                    + "wrong passwords from its network, or for its account; the next is taken in "
                    + "\(seconds) s")
        }
    }

    /// The name without white space around it; of a name that is longer than any account's, only the
    /// beginning. Throws `badRequest` for too many combining marks in a row.
    ///
    /// White space is removed scalar by scalar: characters are slow to find from the end of a text.
    private static func trimmed(_ name: String) throws(RecordError) -> String {
        if !CombiningMarks.admits(name) { throw CombiningMarks.refusal("name") }
        var scalars = name.beginning(bytes: maximumNameBytes).unicodeScalars[...]
        while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return String(Substring(scalars))
    }

    /// The number of bytes of a name that are examined: more than any account's name has.
    private static let maximumNameBytes = 4096

    // MARK: Other apps

    /// Creates a web auth token for another app of the caller, such as a page that a native app shows.
    ///
    /// Throws as `Caller.requireUserRecordName` does, and `authenticationFailed` for an API token of another
    /// container or environment, and on a closed server for an unknown one.
    package func webAuthToken(for app: String, by caller: Caller) async throws -> String {
        let name = try caller.requireUserRecordName()
        guard
            let account = try await context.directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        if let token = try await credentials.apiToken(app) {
            guard token.container == caller.container, token.environment == caller.environment else {
                throw RecordError.foreignAPIToken(token)
            }
        } else if !context.isOpen {
            throw RecordError.unknownAPIToken
        }
        return try await sessions.newSession(
            of: account,
            place: ContainerKey(caller),
            lifetime: Int64(context.limits.sessionSeconds), isOpen: caller.session?.isOpen ?? false
        )
    }
}

extension String {
    /// The beginning of the text, of at most this many bytes. A limit in characters would not bound the size,
    /// since one character may have any number of bytes.
    func beginning(bytes: Int) -> String {
        utf8.count > bytes ? String(decoding: utf8.prefix(bytes), as: UTF8.self) : self
    }
}
