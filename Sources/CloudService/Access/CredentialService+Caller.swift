import Crypto
import Directory
import RecordStore
package import Records
import Synchronization

extension CredentialService {
    /// The caller that credentials stand for. The signature itself is checked by `check(_:by:)`, which needs
    /// the body.
    ///
    /// Throws `authenticationFailed` for those that are nobody's or somebody else's, and
    /// `authenticationRequired` for a session that has ended. The container is looked up after the
    /// app was identified, so that strangers do not learn whether it exists.
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

    /// Accepts a signed request, once, when its body has been received.
    ///
    /// Throws `authenticationFailed` unless the key that the caller shows made the signature over the body,
    /// and for a request that was taken before.
    package func check(_ signature: RequestSignature, by caller: inout Caller) async throws {
        let (key, time) = try await serverKey(of: signature, for: caller)
        guard let coverage = signature.coverage(by: key), let mark = signature.mark else {
            throw invalidSignature
        }
        let now = context.runtime.now()
        let verdict = replays.withLock {
            $0.take(mark, of: key.id, dated: time, isRead: signature.isRead, at: now)
        }
        if let refusal = verdict.refusal { throw refusal }
        // The signature covers the path only, so anybody on the way may have added the rest of the address.
        if coverage == .path { caller.device = nil }
    }

    // MARK: Apps

    /// Throws unless the app may ask for this container: always, where the server is open to all comers.
    private func checkApp(_ credentials: Credentials, for caller: Caller) async throws {
        guard let text = credentials.apiToken else {
            if context.isOpen { return }
            throw RecordError.refused(
                "no auth method found", "ckAPIToken", next: "send the container's API token with the request")
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
            next: "add the origin to those that the token allows"
        )
    }

    /// The token with that text; nil if it is unknown or revoked.
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

    /// The key that a signature names, if the date, container and environment of the request fit it.
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

    /// The error for a wrong key, date or signature. It is one for all, so that guesses tell nothing.
    private var invalidSignature: RecordError {
        .refused(
            "the signature is not valid", "X-Apple-CloudKit-Request-SignatureV1",
            next:
                "see that the key is the container's, the clock within "
                + "\(context.limits.signatureSkewSeconds) s, "
                + "and the signed text {date}:{base64 of the body's SHA-256}:{path}"
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
    /// The error for a request that is not accepted; nil for one that is.
    fileprivate var refusal: RecordError? {
        switch self {
        case .taken: nil
        case .repeated:
            RecordError.refused(
                "the signature was used before", "X-Apple-CloudKit-Request-SignatureV1",
                next: "sign every request anew, a repeated one too"
            )
        case .full(let seconds):
            RecordError(
                .throttled, "the key has signed too many requests", culprit: "X-Apple-CloudKit-Request-KeyID",
                nextStep: "wait, then send fewer and larger requests, or use several keys",
                retryAfter: seconds
            )
        case .unknown(let seconds):
            RecordError(
                .tryAgainLater, "the request was signed before the server started",
                culprit: "X-Apple-CloudKit-Request-ISO8601Date", nextStep: "sign it anew, with a new date",
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
        refused("the API token is not valid", "ckAPIToken", next: "use one that the container has")
    }

    /// The error for an API token of another container or environment. It names the right one: whoever has
    /// the token may know.
    static func foreignAPIToken(_ token: APIToken) -> RecordError {
        refused(
            "the API token is for another container or environment", "ckAPIToken",
            next: "use it with \(token.container) in \(token.environment.rawValue)"
        )
    }

    /// The error for a call that needs a person, from a server-to-server key. The key was accepted, so the
    /// error must not read like one about the signature.
    static func notForKeys(_ wish: String, _ culprit: String) -> RecordError {
        RecordError(
            .accessDenied, "the signature is valid, but \(wish) is not open to server-to-server keys",
            culprit: culprit,
            nextStep: "use the key for the public database and to look people up; "
                + "for everything else, send the web auth token of a person"
        )
    }
}
