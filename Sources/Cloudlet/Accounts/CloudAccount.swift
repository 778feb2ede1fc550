import Foundation

/// The signed-in person of a device. Several connections can share one account.
///
/// A connection with an account sends each operation as the person who is signed in when it starts. If that
/// person signs out or another one signs in before its last request, the operation fails with
/// `CKError.notAuthenticated`: nothing of it is sent as another person. Signing in, signing out and switching
/// people post `.CKAccountChanged`.
///
/// ```swift
/// let account = CloudAccount()
/// var connection = CloudConnection(url: serverURL, apiToken: token)
/// connection.account = account
/// let container = CKContainer(identifier: "iCloud.com.example.parties", connection: connection)
/// try await account.signIn(as: "paul", password: password, to: container)
/// ```
public final class CloudAccount: Sendable {
    /// The tokens of one sign-in. The server can replace the token with each answer.
    struct Session: Hashable {
        /// The token that the session began with. It identifies the session while the process runs.
        var first: String
        /// The token to send with the next request.
        var latest: String
    }

    private let state: Locked<Session?>

    /// Creates an account. With the token of an earlier session, its person is signed in from the start.
    public init(webAuthToken: String? = nil) {
        state = Locked(webAuthToken.map { Session(first: $0, latest: $0) })
    }

    /// The session's current token; nil if nobody is signed in. The server renews it with use: save it to
    /// stay signed in when the app starts again.
    public var webAuthToken: String? { session?.latest }

    var session: Session? { state.current }

    /// Signs in the person of an existing session, given by its token.
    public func signIn(webAuthToken: String) {
        change(to: webAuthToken)
    }

    /// Signs a person in to the server of a container, in place of anyone who was signed in before.
    ///
    /// - Parameters:
    ///   - name: The person's name or e-mail address.
    ///   - password: The password; nil if the server is open and the person has none.
    ///   - container: A container of the app. A session that was opened with a password is valid for this
    ///     container only.
    ///   - staysSignedIn: Whether the session lasts for two weeks without use instead of half an hour.
    /// - Throws: `CKError`, as `CloudConnection.signingIn(as:password:container:staysSignedIn:)` does. The
    ///   account is unchanged then.
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

    /// Signs out on this device. The session stays valid on the server: to end it there, call
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

    /// Stores the token that an answer brought, unless another session has begun since the request was sent.
    func renew(_ first: String, with token: String) {
        state.withLock { session in
            if session?.first == first { session?.latest = token }
        }
    }
}
