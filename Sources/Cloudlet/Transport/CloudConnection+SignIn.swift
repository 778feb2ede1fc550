internal import Records
internal import RecordsWire

extension CloudConnection {
    /// The same connection with a person signed in by name alone.
    ///
    /// The server makes the person on first use. Servers that are not for development refuse it; there one
    /// signs in with a password.
    ///
    /// - Throws: `CKError`: `networkUnavailable` without a server, `permissionFailure` where it is switched
    ///   off.
    public func signingIn(as name: String) async throws -> CloudConnection {
        speaking(in: try await send(SignInByName(name)))
    }

    /// The same connection with a person signed in to one container, for its environment.
    ///
    /// - Parameters:
    ///   - name: The name or the e-mail address.
    ///   - password: nil, where the server is open and the person has none.
    ///   - container: The container; the session is good for no other.
    ///   - staysSignedIn: Whether the session lasts two weeks without use, in place of half an hour.
    /// - Throws: `CKError`: `notAuthenticated` for a wrong name or password and for a wrong API token,
    ///   `requestRateLimited` after too many attempts, `managedAccountRestricted` and
    ///   `accountTemporarilyUnavailable` for an account in trouble, `networkUnavailable` without a server.
    public func signingIn(
        as name: String, password: String?, container: String, staysSignedIn: Bool = false
    ) async throws -> CloudConnection {
        let call = SignInWithPassword(
            container: container, environment: CloudEnvironment(environment), name: name, password: password,
            staysSignedIn: staysSignedIn)
        return speaking(in: try await send(call))
    }

    /// Ends the session of whoever is signed in, on all devices that use it; without one, does nothing. An
    /// account of the device is signed out, whether the server hears of it or not.
    ///
    /// - Throws: `CKError` when the server cannot be reached.
    public func endSession() async throws {
        guard session != nil else { return }
        defer { account?.signOut() }
        _ = try await send(EndSession(), asPerson: true)
    }

    private func speaking(in session: SignIn) -> CloudConnection {
        var connection = self
        connection.account = nil
        connection.webAuthToken = session.webAuthToken
        return connection
    }

    /// Makes one of the server's own calls. Throws `CKError`.
    ///
    /// - Parameters:
    ///   - asPerson: Whether to show the session of the person who is signed in.
    ///   - changes: Whether the server may have acted on a call whose answer was lost.
    func send<Call: ServerCall>(
        _ call: Call, asPerson: Bool = false, changes: Bool = false
    ) async throws -> Call.Answer {
        let credentials = RequestParameters(
            apiToken: apiToken, webAuthToken: asPerson ? session?.latest : nil)
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
