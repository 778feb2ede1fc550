import Foundation

extension CloudConnection {
    /// The session of the signed-in person; nil when nobody is signed in, or when a server key is set.
    var session: CloudAccount.Session? {
        if serverKey != nil { return nil }
        if let account { return account.session }
        return webAuthToken.map { CloudAccount.Session(first: $0, latest: renewals.current[$0] ?? $0) }
    }

    /// Identifies the sender of requests: the ID of the server key, or the first token of the session, which
    /// stays the same when the token is renewed.
    var senderName: String? { serverKey?.id ?? session?.first }

    /// Returns a copy of the connection that sends requests only for the present sender. After a change of
    /// the account, they fail with `notAuthenticated`. If nobody is signed in, the copy is not bound.
    func bound() -> CloudConnection {
        var connection = self
        connection.onlySender = onlySender ?? senderName
        return connection
    }

    /// Returns the session of the next request; nil as for `session`. Throws `notAuthenticated` if the
    /// connection is bound to another sender.
    func sessionToSend() throws(CKError) -> CloudAccount.Session? {
        let session = session
        guard let onlySender, onlySender != serverKey?.id ?? session?.first else { return session }
        throw CKError.make(
            .notAuthenticated,
            "The account changed before everything was sent - start again as the person who is signed in now")
    }

    /// Whether requests are authenticated, by a person's session or by the server key of an app.
    var isSignedIn: Bool { serverKey != nil || session != nil }

    /// Stores the renewed token of a response for the next request.
    func keep(_ token: String, of session: CloudAccount.Session) {
        if token == session.latest { return }
        if let account {
            account.renew(session.first, with: token)
        } else {
            renewals.withLock { $0[session.first] = token }
        }
    }

    /// Stores the account status that a response implies, and posts `CKAccountChanged` if the status changed.
    func record(_ status: CKAccountStatus, of session: CloudAccount.Session) {
        if watch.withLock({ $0.record(status, of: session.first) }) {
            NotificationCenter.default.post(name: .CKAccountChanged, object: account)
        }
    }
}
