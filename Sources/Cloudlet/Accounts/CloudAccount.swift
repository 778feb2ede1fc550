import Foundation

/// Who is signed in on a device, shared by the connections that follow it.
///
/// A connection that has an account speaks for whoever is signed in at the moment of each request. Signing
/// in, signing out and switching post `.CKAccountChanged`.
///
/// ```swift
/// let account = CloudAccount()
/// var connection = CloudConnection(url: serverURL, apiToken: token)
/// connection.account = account
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// try await account.signIn(as: "paul", password: password, to: container)
/// ```
public final class CloudAccount: Sendable {
    /// One stretch of time in which one person is signed in.
    struct Session: Hashable {
        /// The token that the session began with: it names the session as long as the process lives.
        var first: String
        /// The token to send next.
        var latest: String
    }

    private let state: Locked<Session?>

    /// An account; with the token of a session that was begun before, its person is signed in already.
    public init(webAuthToken: String? = nil) {
        state = Locked(webAuthToken.map { Session(first: $0, latest: $0) })
    }

    /// The session's token to keep for the next run of the app, renewed with each use; nil when nobody is
    /// signed in.
    public var webAuthToken: String? { session?.latest }

    var session: Session? { state.current }

    /// Makes the person of that session the one who is signed in.
    public func signIn(webAuthToken: String) {
        change(to: webAuthToken)
    }

    /// Signs a person in to the server of a container; whoever was signed in is so no more.
    ///
    /// - Parameters:
    ///   - name: The name or the e-mail address.
    ///   - password: nil, where the server is open and the person has none.
    ///   - container: The container of the app; with a password, the session is good for it alone.
    ///   - staysSignedIn: Whether the session lasts two weeks without use, in place of half an hour.
    /// - Throws: `CKError` as `CloudConnection.signingIn(as:password:container:staysSignedIn:)`; then nothing
    ///   changes.
    public func signIn(
        as name: String, password: String? = nil, to container: CKContainer, staysSignedIn: Bool = false
    ) async throws {
        var connection = container.connection
        connection.account = nil
        let signedIn = try await connection.signingIn(
            as: name, password: password, container: container.containerIdentifier ?? "",
            staysSignedIn: staysSignedIn)
        change(to: signedIn.webAuthToken)
    }

    /// Signs out on this device. The session goes on elsewhere, unless it is ended with
    /// `CloudConnection.endSession()`.
    public func signOut() {
        change(to: nil)
    }

    private func change(to token: String?) {
        let isNews = state.withLock { session in
            let changed = session?.first != token && session?.latest != token
            if changed { session = token.map { Session(first: $0, latest: $0) } }
            return changed
        }
        if isNews { NotificationCenter.default.post(name: .CKAccountChanged, object: self) }
    }

    /// Takes the token that an answer brought, unless somebody else has signed in meanwhile.
    func renew(_ first: String, with token: String) {
        state.withLock { session in
            if session?.first == first { session?.latest = token }
        }
    }
}
