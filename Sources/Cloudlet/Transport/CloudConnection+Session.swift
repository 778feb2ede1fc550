import Foundation

extension CloudConnection {
    /// The session of whoever is signed in at this moment; nil: nobody.
    var session: CloudAccount.Session? {
        if serverKey != nil { return nil }
        if let account { return account.session }
        return webAuthToken.map { CloudAccount.Session(first: $0, latest: renewals.current[$0] ?? $0) }
    }

    /// Names whoever sends requests, however often the token is renewed.
    var senderName: String? { serverKey?.id ?? session?.first }

    /// Whether requests come from somebody: a person, or an app's own server.
    var isSignedIn: Bool { serverKey != nil || session != nil }

    /// Keeps the token that an answer brought for the next request.
    func keep(_ token: String, of session: CloudAccount.Session) {
        if token == session.latest { return }
        if let account {
            account.renew(session.first, with: token)
        } else {
            renewals.withLock { $0[session.first] = token }
        }
    }

    /// Takes in what an answer says of the account, and tells the app when it is news.
    func note(_ status: CKAccountStatus, of session: CloudAccount.Session) {
        if watch.withLock({ $0.note(status, of: session.first) }) {
            NotificationCenter.default.post(name: .CKAccountChanged, object: account)
        }
    }
}
