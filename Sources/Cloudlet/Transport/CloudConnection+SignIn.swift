// Owns signing in and out of a server, in place of an account on the device.

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
        let answer = try await post("/dev/sign-in") { $0.member("name", name) }
        return try speaking(for: answer)
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
        let answer = try await post("/sign-in/token") { json in
            json.member("container", container)
            json.member("environment", environment.rawValue)
            json.member("name", name)
            json.member("password", password)
            json.member("staysSignedIn", staysSignedIn)
        }
        return try speaking(for: answer)
    }

    /// Ends the session of whoever is signed in, on all devices that use it; without one, does nothing. An
    /// account of the device is signed out, whether the server hears of it or not.
    ///
    /// - Throws: `CKError` when the server cannot be reached.
    public func endSession() async throws {
        guard session != nil else { return }
        defer { account?.signOut() }
        _ = try await post("/sign-in/end", asPerson: true) { _ in }
    }

    private func speaking(for answer: JSONNode) throws -> CloudConnection {
        var connection = self
        connection.account = nil
        connection.webAuthToken = try answer.required("ckWebAuthToken").string()
        return connection
    }

    /// Sends an object to one of the calls beside the protocol of the web services; its answer is an object
    /// or nothing.
    func post(
        _ path: String, asPerson: Bool = false, changes: Bool = false,
        _ members: (inout JSONWriter) -> Void
    ) async throws -> JSONNode {
        var json = JSONWriter()
        json.beginObject()
        members(&json)
        json.endObject()
        let query = RequestParameters(apiToken: apiToken, webAuthToken: asPerson ? session?.latest : nil).text
        let request = CloudRequest(
            .post, query.isEmpty ? path : path + "?" + query,
            headers: ["Content-Type": "application/json"], body: .bytes(json.bytes)
        )
        do {
            let response = try await transport.send(request)
            guard response.status == 200 else {
                throw RecordError(status: response.status, body: response.bytes)
            }
            return try JSONDocument(response.bytes.isEmpty ? Array("{}".utf8) : response.bytes).root
        } catch {
            throw CKError(failure: error, mayHaveActed: changes)
        }
    }
}
