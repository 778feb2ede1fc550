import Crypto
import Directory
import RecordStore
package import Records
import Synchronization

extension CredentialService {
    /// Returns the caller that the credentials identify. The signature itself is verified by `check(_:by:)`,
    /// which needs the body.
    ///
    /// Throws `authenticationFailed` for invalid credentials and for those of another container or
    /// environment, and `authenticationRequired` for a session that has ended. The container is looked up
    /// only after the app is identified, so that a caller without credentials cannot learn whether it exists.
    package func caller(
        _ credentials: Credentials, container: String, environment: CloudEnvironment
    ) async throws -> Caller {
        var caller = Caller(
            container: container, environment: environment, identity: .anonymous, device: credentials.device
        )
        try RecordError.check(device: credentials.device, context.limits)
        caller.apiToken = credentials.apiToken
        if let signature = credentials.signature {
            guard credentials.apiToken == nil, credentials.webAuthToken == nil else {
                throw RecordError.refused(
                    "tokens and a signature in one request", "ckAPIToken",
                    next: "send either the tokens or the three headers of a signed request"
                )
            }
            let (key, _) = try await serverKey(of: signature, for: caller)
            try await containerRegistry.checkUsable(container)
            caller.identity = .serverKey(id: key.id, owner: key.owner)
            return caller
        }
        try await checkApp(credentials, for: caller)
        try await containerRegistry.checkUsable(container)
        if let token = credentials.webAuthToken { try await sessions.identify(&caller, by: token) }
        return caller
    }

    /// Returns the person who has signed in on a page of the server's own, such as the console's, which needs
    /// no API token.
    ///
    /// Throws like `caller(_:container:environment:)` for an invalid token and for a session that has ended.
    package func person(
        for webAuthToken: String, container: String, environment: CloudEnvironment
    ) async throws -> Caller {
        var caller = Caller(container: container, environment: environment, identity: .anonymous)
        try await containerRegistry.checkUsable(container)
        try await sessions.identify(&caller, by: webAuthToken)
        return caller
    }

    /// Verifies a signed request after its body has been received, and refuses a replay (`ReplayCache`).
    ///
    /// Throws `authenticationFailed` if the signature over the body is not valid for the caller's key, or if
    /// the request was accepted before (for a read, more than two seconds ago); `throttled` if the key has
    /// signed too many requests; and `tryAgainLater` for a change that is dated before the server started.
    package func check(_ signature: RequestSignature, by caller: inout Caller) async throws {
        let (key, time) = try await serverKey(of: signature, for: caller)
        guard let coverage = signature.coverage(by: key), let mark = signature.mark else {
            throw invalidSignature
        }
        let now = context.runtime.now()
        let verdict = replays.withLock {
            $0.accept(mark, of: key.id, dated: time, isRead: signature.isRead, at: now)
        }
        if let refusal = verdict.refusal { throw refusal }
        // This signature covers the path only, so a proxy or an attacker on the network may have added the
        // query.
        if coverage == .path { caller.device = nil }
    }

    // MARK: Apps

    /// Throws unless the app may use this container. An open server admits apps without an API token.
    private func checkApp(_ credentials: Credentials, for caller: Caller) async throws {
        guard let text = credentials.apiToken else {
            if context.isOpen { return }
            throw RecordError.refused(
                "no auth method found", "ckAPIToken",
                next: "send the container's API token with the request, in a shell with --api-token; "
                    + "the operator makes one with: cloudlet token create CONTAINER")
        }
        guard let token = try await apiToken(text) else {
            // An open server accepts tokens that it does not know, so that development needs no set-up.
            if context.isOpen { return }
            throw RecordError.unknownAPIToken
        }
        guard token.container == caller.container, token.environment == caller.environment else {
            throw RecordError.foreignAPIToken(token)
        }
        guard let origin = credentials.origin, !token.allowedOrigins.isEmpty else { return }
        if token.allowedOrigins.contains(CallbackRules.origin(of: origin) ?? origin) { return }
        throw RecordError.refused(
            "the API token is not for pages of this origin", origin,
            next: "use a token that allows it; the operator makes one with: "
                + "cloudlet token create CONTAINER --origin ORIGIN"
        )
    }

    /// The API token with this text; nil if it is unknown or revoked.
    func apiToken(_ text: String) async throws -> APIToken? {
        guard text.utf8.count == 64 else { return nil }
        let hash = Self.hash(text)
        let (known, generation) = cache.withLock { ($0.token(hash), $0.generation) }
        if let known { return known }
        guard let token = try await context.directory.apiToken(hash: hash), token.revoked == nil else {
            return nil
        }
        cache.withLock { $0.remember(token, as: hash, readIn: generation) }
        return token
    }

    // MARK: Server-to-server keys

    /// The key that a signature names and the request's date. Throws unless the date is near the present and
    /// the key belongs to the container and environment of the request.
    private func serverKey(
        of signature: RequestSignature, for caller: Caller
    ) async throws -> (key: ServerKey, time: Timestamp) {
        let (now, skew) = (context.runtime.now(), Int64(context.limits.signatureSkewSeconds))
        guard let time = signature.time, time < now.advanced(bySeconds: skew + 1),
            now < time.advanced(bySeconds: skew + 1), let key = try await serverKey(signature.keyID),
            key.container == caller.container, key.environment == caller.environment
        else { throw invalidSignature }
        return (key, time)
    }

    /// The error for a wrong key, date or signature: one error for all, so that an attacker cannot tell which
    /// of them is wrong.
    private var invalidSignature: RecordError {
        .refused(
            "the signature is not valid", "X-Apple-CloudKit-Request-SignatureV1",
            next:
                "check that the key is the container's, that the clock is right within "
                + "\(context.limits.signatureSkewSeconds) s, "
                + "and that the signed text is {date}:{base64 of the body's SHA-256}:{path}"
        )
    }

    private func serverKey(_ id: String) async throws -> ServerKey? {
        guard id.utf8.count == 64 else { return nil }
        let (known, generation) = cache.withLock { ($0.key(id), $0.generation) }
        if let known { return known }
        guard let key = try await context.directory.serverKey(id: id), key.revoked == nil else { return nil }
        cache.withLock { $0.remember(key, readIn: generation) }
        return key
    }
}

extension ReplayCache.Verdict {
    /// The error for a request that is not accepted; nil if it is accepted.
    fileprivate var refusal: RecordError? {
        switch self {
        case .accepted: nil
        case .repeated:
            RecordError.refused(
                "the signature was used before", "X-Apple-CloudKit-Request-SignatureV1",
                next: "sign each request again before sending it, also when repeating it"
            )
        case .full(let seconds):
            RecordError(
                .throttled, "the key has signed too many requests", culprit: "X-Apple-CloudKit-Request-KeyID",
                nextStep: "wait, then send fewer and larger requests, or use several keys",
                retryAfter: seconds
            )
        case .datedBeforeStart(let seconds):
            RecordError(
                .tryAgainLater, "the request was signed before the server started",
                culprit: "X-Apple-CloudKit-Request-ISO8601Date",
                nextStep: "sign the request again, with a new date",
                retryAfter: seconds
            )
        }
    }
}

extension RecordError {
    /// The error for credentials that are not accepted.
    static func refused(_ reason: String, _ culprit: String, next: String) -> RecordError {
        RecordError(.authenticationFailed, reason, culprit: culprit, nextStep: next)
    }

    /// The error for an unknown API token.
    static var unknownAPIToken: RecordError {
        refused(
            "the API token is not valid", "ckAPIToken",
            next: "use an API token of the container that is not revoked")
    }

    /// The error for an API token of another container or environment. It names the right ones, which the
    /// holder of the token may know.
    static func foreignAPIToken(_ token: APIToken) -> RecordError {
        refused(
            "the API token is for another container or environment", "ckAPIToken",
            next: "use it with \(token.container) in \(token.environment.rawValue)"
        )
    }

    /// The error for a call that needs a person, from a server-to-server key. The key was accepted, so the
    /// error must not read like one about the signature.
    static func notForKeys(_ call: String, _ culprit: String) -> RecordError {
        RecordError(
            .accessDenied, "the signature is valid, but \(call) is not open to server-to-server keys",
            culprit: culprit,
            nextStep: "use the key for the public database and to look people up; "
                + "for everything else, send the web auth token of a person"
        )
    }
}
