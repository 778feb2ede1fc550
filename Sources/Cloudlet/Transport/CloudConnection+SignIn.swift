internal import Records
internal import RecordsWire

extension CloudConnection {
    /// Returns a copy of the connection with a person signed in by name, without a password.
    ///
    /// The server creates the person on first use. Only an open server (`cloudlet serve --open`) permits
    /// this; with others, sign in with a password.
    ///
    /// - Throws: `CKError`: `networkUnavailable` when the server cannot be reached, `permissionFailure` when
    ///   it is not open, `notAuthenticated` when the person has a password.
    public func signingIn(as name: String) async throws -> CloudConnection {
        signedIn(with: try await send(SignInByName(name)))
    }

    /// Returns a copy of the connection with a person signed in to one container, in the connection's
    /// environment.
    ///
    /// - Parameters:
    ///   - name: The person's name or e-mail address.
    ///   - password: The password; nil if the server permits sign-in without one and the person has none.
    ///   - container: The identifier of the container. The session is valid in no other one.
    ///   - staysSignedIn: Whether the session expires after two weeks without use instead of half an hour.
    /// - Throws: `CKError`: `notAuthenticated` for a wrong name, password or API token, `requestRateLimited`
    ///   after too many attempts, `managedAccountRestricted` or `accountTemporarilyUnavailable` for an
    ///   account with restrictions, `networkUnavailable` when the server cannot be reached.
    public func signingIn(
        as name: String, password: String?, container: String, staysSignedIn: Bool = false
    ) async throws -> CloudConnection {
        let call = SignInWithPassword(
            container: container, environment: CloudEnvironment(environment), name: name, password: password,
            staysSignedIn: staysSignedIn)
        return signedIn(with: try await send(call))
    }

    /// Ends the signed-in person's session on the server, for all devices that use it. Does nothing when
    /// nobody is signed in. The connection's `account`, if any, is signed out even if the server cannot be
    /// reached.
    ///
    /// - Throws: `CKError` when the server cannot be reached.
    public func endSession() async throws {
        guard session != nil else { return }
        defer { account?.signOut() }
        _ = try await send(EndSession(), asPerson: true)
    }

    private func signedIn(with session: SignIn) -> CloudConnection {
        var connection = self
        connection.account = nil
        connection.webAuthToken = session.webAuthToken
        return connection
    }

    /// Sends a request that is not part of Apple's web services protocol. Throws `CKError`.
    ///
    /// - Parameters:
    ///   - asPerson: Whether to send the session token of the signed-in person.
    ///   - changes: Whether the request changes data, so that a lost response leaves open whether it was
    ///     executed.
    func send<Call: ServerCall>(
        _ call: Call, asPerson: Bool = false, changes: Bool = false
    ) async throws -> Call.Answer {
        let session = try asPerson ? sessionToSend() : nil
        let credentials = RequestParameters(apiToken: apiToken, webAuthToken: session?.latest)
        do {
            return try await transport.send(call, as: credentials)
        } catch {
            throw CKError(failure: error, mayHaveActed: changes)
        }
    }
}

extension CloudEnvironment {
    init(_ environment: CloudConnection.Environment) {
        switch environment {
        case .development: self = .development
        case .production: self = .production
        }
    }
}
