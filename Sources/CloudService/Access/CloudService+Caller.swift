import Crypto
import Directory
import RecordStore
package import Records
import Synchronization

extension CloudService {
    /// Who shows these credentials. A signature is believed until `check(_:by:)` has seen the body.
    ///
    /// Throws `authenticationFailed` for those that are nobody's or somebody else's, and
    /// `authenticationRequired` for a session that has ended. Whether there is such a container is looked up
    /// after the app is known, so that strangers hear nothing of it.
    package func caller(
        _ credentials: Credentials, container: String, environment: CloudEnvironment
    ) async throws -> Caller {
        var caller = Caller(
            container: container, environment: environment, identity: .anonymous, device: credentials.device
        )
        try RecordError.check(device: credentials.device, limits)
        caller.apiToken = credentials.apiToken
        if let signature = credentials.signature {
            guard credentials.apiToken == nil, credentials.webAuthToken == nil else {
                throw RecordError.refused(
                    "tokens and a signature in one request", "ckAPIToken",
                    next: "send either the tokens or the three headers of a signed request"
                )
            }
            let (key, _) = try await serverKey(of: signature, for: caller)
            try await enter(container)
            caller.identity = .serverKey(id: key.id, owner: key.owner)
            return caller
        }
        try await checkApp(credentials, for: caller)
        try await enter(container)
        if let token = credentials.webAuthToken { try await identify(&caller, by: token) }
        return caller
    }

    /// Takes a signed request, once, when its body has been received.
    ///
    /// Throws `authenticationFailed` unless the key that the caller shows made the signature over the body,
    /// and for a request that was taken before.
    package func check(_ signature: RequestSignature, by caller: inout Caller) async throws {
        let (key, time) = try await serverKey(of: signature, for: caller)
        guard let coverage = signature.coverage(by: key), let mark = signature.mark else {
            throw invalidSignature
        }
        let now = seams.now()
        let verdict = signatures.withLock {
            $0.take(mark, of: key.id, dated: time, isRead: signature.isRead, at: now)
        }
        if let refusal = verdict.refusal { throw refusal }
        // What the key has not signed may have been added on the way.
        if coverage == .path { caller.device = nil }
    }

    /// The record name of the person who asks. Throws `authenticationRequired` for the anonymous, and
    /// `authenticationFailed` for keys.
    package func userRecordName(of caller: Caller) throws -> String {
        switch caller.identity {
        case .person(let name): return name
        case .anonymous: throw caller.notSignedIn
        case .serverKey: throw RecordError.keyIsNobody("users")
        }
    }

    // MARK: Apps

    /// Throws unless the app may ask for this container: always, where the server is open to all comers.
    private func checkApp(_ credentials: Credentials, for caller: Caller) async throws {
        guard let text = credentials.apiToken else {
            if isOpen { return }
            throw RecordError.refused(
                "no auth method found", "ckAPIToken", next: "send the container's API token with the request")
        }
        guard let token = try await apiToken(text) else {
            // Whoever develops against an open server need not have a token made first.
            if isOpen { return }
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

    /// The token in force with that text; nil if there is none.
    func apiToken(_ text: String) async throws -> APIToken? {
        guard text.utf8.count == 64 else { return nil }
        let hash = Self.hash(text)
        let (known, generation) = credentials.withLock { ($0.token(hash), $0.generation) }
        if let known { return known }
        guard let token = try await directory.apiToken(hash: hash), token.revoked == nil else { return nil }
        credentials.withLock { $0.remember(token, as: hash, readIn: generation) }
        return token
    }

    // MARK: Servers of apps

    /// The key that a signature names, by what the head of the request says: its date and the key's place.
    private func serverKey(
        of signature: RequestSignature, for caller: Caller
    ) async throws -> (key: ServerKey, time: Timestamp) {
        let (now, skew) = (seams.now(), Int64(limits.signatureSkewSeconds))
        guard let time = signature.time, time < now.advanced(bySeconds: skew + 1),
            now < time.advanced(bySeconds: skew + 1), let key = try await serverKey(signature.keyID),
            key.container == caller.container, key.environment == caller.environment
        else { throw invalidSignature }
        return (key, time)
    }

    /// One answer for all that can be wrong with a key, a date and a signature: whoever guesses learns
    /// nothing.
    private var invalidSignature: RecordError {
        .refused(
            "the signature is not valid", "X-Apple-CloudKit-Request-SignatureV1",
            next: "see that the key is the container's, the clock within \(limits.signatureSkewSeconds) s, "
                + "and the signed text {date}:{base64 of the body's SHA-256}:{path}"
        )
    }

    private func serverKey(_ id: String) async throws -> ServerKey? {
        guard id.utf8.count == 64 else { return nil }
        let (known, generation) = credentials.withLock { ($0.key(id), $0.generation) }
        if let known { return known }
        guard let key = try await directory.serverKey(id: id), key.revoked == nil else { return nil }
        credentials.withLock { $0.remember(key, readIn: generation) }
        return key
    }
}

extension SignatureBook.Verdict {
    /// The error for a request that is not taken; nil for one that is.
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
    /// The error for credentials that do not count.
    static func refused(_ reason: String, _ culprit: String, next: String) -> RecordError {
        RecordError(.authenticationFailed, reason, culprit: culprit, nextStep: next)
    }

    /// The error for an API token that is nobody's.
    static var unknownAPIToken: RecordError {
        refused("the API token is not valid", "ckAPIToken", next: "use one that the container has")
    }

    /// The error for an API token in the wrong place; whoever has it may know where the right one is.
    static func foreignAPIToken(_ token: APIToken) -> RecordError {
        refused(
            "the API token is for another container or environment", "ckAPIToken",
            next: "use it with \(token.container) in \(token.environment.rawValue)"
        )
    }

    /// The error for what a key of an app's server may not do, since it is no person.
    static func keyIsNobody(_ culprit: String) -> RecordError {
        refused(
            "server-to-server keys are good for records of the public database only", culprit,
            next: "use the public database, or the session of a person"
        )
    }
}
