import AssetStore
import Directory
package import Records
import Synchronization

/// What a person says to sign in.
package struct SignInAttempt: Hashable, Sendable {
    /// Name or e-mail address.
    package var name: String
    package var password: String
    package var staysSignedIn: Bool
    /// What attempts from one network address are counted by; nil for this process.
    package var address: String?

    package init(name: String, password: String, staysSignedIn: Bool, address: String?) {
        self.name = name
        self.password = password
        self.staysSignedIn = staysSignedIn
        self.address = address
    }
}

/// Where a sign-in page hands the session to.
package enum SignInTarget: Hashable, Sendable {
    /// To the window that opened the page, if its content is of that origin.
    case message(origin: String)
    /// To that address.
    case redirect(String)
}

extension CloudService {
    // MARK: The page

    /// What goes with the address of the sign-in page for whoever asked for a container.
    package func signInTicket(
        apiToken text: String?, origin: String?, container: String, environment: CloudEnvironment
    ) async throws -> String {
        var known: APIToken?
        if let text { known = try await apiToken(text) }
        return signer.sign(
            SignInTicket(
                container: container, environment: environment, apiToken: known?.id ?? "",
                origin: origin.flatMap { CallbackRules.origin(of: $0) } ?? "",
                expires: seams.now().advanced(bySeconds: Int64(limits.signInSeconds))
            )
        )
    }

    /// Reads such a ticket. Throws `badRequest` for one that is too old.
    package func signInTicket(_ text: String) throws -> SignInTicket {
        try signer.verify(text, now: seams.now())
    }

    /// Where the page hands the session to. `own` is the page's own origin.
    ///
    /// Throws `authenticationFailed` when the API token was revoked or is not for pages of that origin.
    package func signInTarget(of ticket: SignInTicket, own: String) async throws -> SignInTarget {
        let asking = ticket.origin.isEmpty ? nil : ticket.origin
        if ticket.apiToken.isEmpty { return .message(origin: asking ?? own) }
        guard let token = try await directory.apiToken(id: ticket.apiToken), token.revoked == nil else {
            throw RecordError.refused(
                "the app may not ask people to sign in any more", "ckAPIToken",
                next: "go back to the app and load it again")
        }
        if case .redirect(let address) = token.callback { return .redirect(address) }
        if token.allowedOrigins.isEmpty { return .message(origin: asking ?? own) }
        guard let asking else { return .message(origin: token.allowedOrigins[0]) }
        if token.allowedOrigins.contains(asking) { return .message(origin: asking) }
        throw RecordError.refused(
            "the app's pages are not of this origin", asking, next: "go back to the app and load it again")
    }

    /// A proof that a form was given to a browser, to be sent with it.
    package func formTicket(browser: String, context: String) -> String {
        let expires = seams.now().advanced(bySeconds: Int64(limits.signInSeconds))
        return signer.sign(FormTicket(browser: browser, context: context, expires: expires))
    }

    /// Throws `badRequest` unless that proof was made for this browser and page.
    package func checkForm(_ proof: String, browser: String?, context: String) throws {
        let form = try signer.verify(proof, as: FormTicket.self, now: seams.now())
        if form.browser != browser || form.context != context { throw FormTicket.refusal }
    }

    // MARK: Passwords

    /// Signs a person in to one environment of one container.
    ///
    /// Throws `authenticationFailed` with the same words, and after the same time, for an unknown person and
    /// for a wrong password; `throttled` after too many attempts; and what is in the way of the account.
    package func signIn(
        _ attempt: SignInAttempt, container: String, environment: CloudEnvironment
    ) async throws -> SignIn {
        try await settle(container)
        let (account, isProven) = try await admitted(attempt)
        if let obstacle = account.status.obstacle { throw obstacle }
        let lifetime = attempt.staysSignedIn ? limits.longSessionSeconds : limits.sessionSeconds
        try await directory.forgetSessions(at: seams.now())
        let token = try await newSession(
            of: account, place: Session.Place(container: container, environment: environment),
            lifetime: Int64(lifetime), isOpen: !isProven
        )
        return SignIn(
            webAuthToken: token, userRecordName: try await recordName(of: account, in: container))
    }

    /// The account of whoever knows its password, or, unproven, of whoever says its name where that is
    /// enough.
    private func admitted(_ attempt: SignInAttempt) async throws -> (account: Account, isProven: Bool) {
        let name = attempt.name.trimmed
        let found =
            NameRules.mayBeSought(name) ? try await directory.account(signingInAs: name) : nil
        if isOpen, attempt.password.isEmpty, found?.hasPassword != true {
            if let found { return (found, false) }
            try NameRules.checkPersonName(name)
            return (try await namedAccount(name), false)
        }
        // By what was typed, not by whose it is: waits would tell which name and address are one person's.
        let guess = GuessGuard.Attempt(
            account: String(name.lowercased().prefix(254)), address: attempt.address)
        let now = seams.now()
        if let wait = guesses.withLock({ $0.begin(guess, at: now) }) {
            throw RecordError(
                .throttled, "too many attempts to sign in", culprit: "password",
                nextStep: "wait, then try again", retryAfter: wait
            )
        }
        var stored: StoredPassword?
        let isRight: Bool
        do {
            if let found {
                stored = try await directory.password(of: found.id).flatMap(StoredPassword.init(text:))
            }
            // What was set without a proof counts on open servers only.
            let hash = isOpen || stored?.isProven == true ? stored?.hash : nil
            isRight = try await passwords.check(String(attempt.password.prefix(1000)), against: hash)
        } catch {
            // Nothing was found out.
            guesses.withLock { $0.takeBack(guess) }
            throw error
        }
        guard isRight, let found, let stored else {
            throw RecordError.refused(
                "the name or the password is wrong", "password", next: "check both, then try again")
        }
        guesses.withLock { $0.succeeded(guess, at: now) }
        return (found, stored.isProven)
    }

    // MARK: Sessions

    /// A web auth token for another app of the person who asks, such as a page that a native app shows.
    ///
    /// Throws as `caller` does, and `authenticationFailed` for an API token that is not the container's.
    package func webAuthToken(for app: String, by caller: Caller) async throws -> String {
        let name = try userRecordName(of: caller)
        guard
            let account = try await directory.account(withUserRecordName: name, in: caller.container)
        else { throw caller.notSignedIn }
        if let token = try await apiToken(app) {
            guard token.container == caller.container, token.environment == caller.environment else {
                throw RecordError.foreignAPIToken(token)
            }
        } else if !isOpen {
            throw RecordError.unknownAPIToken
        }
        return try await newSession(
            of: account,
            place: Session.Place(container: caller.container, environment: caller.environment),
            lifetime: Int64(limits.sessionSeconds), isOpen: caller.session?.isOpen ?? false
        )
    }

    /// Ends the session of a web auth token; one that is nobody's has ended already.
    package func endSession(of text: String) async throws {
        guard let token = WebAuthToken(text: text, key: tokenKey) else { return }
        await finish(try await directory.removeSession(hash: token.hash))
    }
}

extension String {
    /// Without white space at either end.
    fileprivate var trimmed: String {
        let end = trimmingPrefix(while: \.isWhitespace)
        return String(String(end.reversed()).trimmingPrefix(while: \.isWhitespace).reversed())
    }
}
