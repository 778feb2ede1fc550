import Cloudlet
import CommandShell
import Records
import RecordsWire

// Calls that servers for development offer.
extension ServerAccess {
    /// Signs a person in by name, and returns the web auth token.
    func signIn(_ person: String) async throws -> String {
        do {
            return try await send(SignInByName(person)).webAuthToken
        } catch let error as RecordError {
            throw ShellError(
                code: "signInRefused",
                message: "the server does not let \(person) sign in by name: \(error.reason)",
                // A server that refuses signing in by name may still accept a password.
                remedy: error.code.status == 403 ? "sign-in \(person), in place of `as` or --as" : nil,
                exit: .notSignedIn
            )
        }
    }

    /// Whether only people with a password can sign in: the server is closed, or does not say that it is
    /// open.
    ///
    /// Throws `CloudTransportError` when the server cannot be reached from the device.
    func requiresPassword(on device: String) async throws -> Bool {
        let deviceTransport = network.transport(of: device, over: transport, pause: pause)
        do {
            let facts = try await deviceTransport.send(ReadServerFacts(), idleTimeout: .seconds(60))
            return facts.software?.isOpen != true
        } catch is RecordError {
            return true
        }
    }

    /// Changes the account of the signed-in person, with the fields of the command `profile`, and returns it.
    func changeAccount(
        _ account: CloudAccount, in container: String, to fields: [String: String]
    ) async throws -> OwnAccount {
        try await change(
            DescribeAccount(
                in: container, email: fields["email"], phone: fields["phone"], givenName: fields["given"],
                familyName: fields["family"], password: fields["password"]),
            token: account.webAuthToken)
    }

    /// Sets the request rate of a person; nil restores the rate from the server's start.
    func setRate(_ rate: RequestRate?) async throws {
        try await change(SetRate(rate))
    }

    @discardableResult
    private func change<Call: ServerCall>(_ call: Call, token: String? = nil) async throws -> Call.Answer {
        do {
            return try await send(call, token: token)
        } catch let error as RecordError {
            // A server that allows the call refuses only invalid values, and names the next step itself.
            let isForbidden = [403, 404].contains(error.code.status)
            throw ShellError(
                code: "refused", message: error.reason,
                remedy: isForbidden
                    ? "use a development server: \(invocation) --ephemeral" : error.nextStep)
        }
    }

    /// The trace of the last pushes to a person, oldest first.
    func pushTrace(of user: String) async throws -> [PushTraceEntry] {
        do {
            return try await send(ReadPushTrace()).elements.filter { $0.user == user }
        } catch is RecordError {
            throw ShellError(
                code: "traceRefused", message: "the server does not trace pushes",
                remedy: "\(invocation) --ephemeral")
        }
    }
}
