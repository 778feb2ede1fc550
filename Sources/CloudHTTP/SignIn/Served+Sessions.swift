import CloudService
import Hummingbird
import Records
import RecordsWire

extension SignInWithPassword: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        // The API token is checked before the password.
        let app = RequestParameters(apiToken: incoming.credentials.apiToken)
        _ = try await incoming.caller(of: app, in: container, environment)
        let client = incoming.handler.client(of: incoming.request, incoming.context)
        let attempt = SignInAttempt(
            name: name, password: password ?? "", staysSignedIn: staysSignedIn, address: client?.limitKey,
            loggedAddress: incoming.handler.requestLog.text(of: client))
        return try await incoming.service.people.signIn(
            attempt, container: container, environment: environment)
    }
}

extension FetchWebToken: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(of: incoming.credentials, in: container, environment)
        return SignIn(webAuthToken: try await incoming.service.people.webAuthToken(for: apiToken, by: caller))
    }
}

extension EndSession: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        if let token = incoming.credentials.webAuthToken {
            try await incoming.service.sessions.end(of: token)
        }
        return DoneAnswer()
    }
}

extension RequestAddressCode: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(of: incoming.credentials, in: container, environment)
        return AddressCode(
            try await incoming.service.addresses.requestCode(
                for: address, toJoin: shortGUID, by: caller))
    }
}

extension ConfirmAddress: ServedCall {
    func answer(_ incoming: ServerRequest) async throws -> Answer {
        let caller = try await incoming.caller(of: incoming.credentials, in: container, environment)
        try await incoming.service.addresses.confirm(address, with: code, by: caller)
        return DoneAnswer()
    }
}

extension ServerRequest {
    /// Determines the caller from these credentials, with the same checks and the same request rates as for a
    /// call of the web services.
    fileprivate func caller(
        of credentials: RequestParameters, in container: String, _ environment: CloudEnvironment
    ) async throws -> Caller {
        let path = RequestPath(
            container: container, environment: environment, database: .public, endpoint: .usersCaller)
        let caller = try await handler.caller(of: path, credentials, request, nil)
        if let refusal = service.rateLimiter.charge(caller, from: payers.network)?.refusal { throw refusal }
        return caller
    }
}

extension RequestHandler {
    /// Adds the URL of the sign-in page to an `authenticationRequired` error of the web services. Returns
    /// other errors unchanged.
    func addingSignInURL(to error: any Error, _ request: Request) async -> any Error {
        guard var known = error as? RecordError, known.code == .authenticationRequired,
            let path = try? RequestPath(path: request.uri.path)
        else { return error }
        let parameters = RequestParameters(query: request.uri.query ?? "")
        let ticket = try? await service.people.signInTicket(
            apiToken: parameters.apiToken, origin: request.headers[.origin], container: path.container,
            environment: path.environment
        )
        if let ticket {
            known.redirectURL = baseURL(of: request) + SignInEndpoint.pagePath + "?ctx=" + ticket
        }
        return known
    }
}
