// Owns sessions for apps that show no page: begun with a password, handed on, ended.

import CloudService
import Hummingbird
import Records
import RecordsWire

extension SignInDoor {
    /// `POST /sign-in/token?ckAPIToken=…` with `{"container", "environment", "name", "password"?,
    /// "staysSignedIn"?}` gives `{"ckWebAuthToken", "userRecordName"}`.
    func token(_ request: Request, _ context: DoorContext) async -> Response {
        await answering(request) { body, path, parameters in
            // The API token must be right before a password is looked at.
            _ = try await door.caller(
                of: path, RequestParameters(apiToken: parameters.apiToken), request, nil)
            let attempt = SignInAttempt(
                name: try body.required("name").string(), password: try body["password"]?.string() ?? "",
                staysSignedIn: try body["staysSignedIn"]?.bool() ?? false,
                address: door.client(of: request, context)?.limitKey
            )
            let signIn = try await service.signIn(
                attempt, container: path.container, environment: path.environment)
            return (signIn.webAuthToken, signIn.userRecordName)
        }
    }

    /// `POST /sign-in/web-token?ckWebAuthToken=…` with `{"container", "environment", "apiToken"}` gives the
    /// person who asks a token for the app of that API token (`CKFetchWebAuthTokenOperation`).
    func webToken(_ request: Request) async -> Response {
        await answering(request) { body, path, parameters in
            let caller = try await door.caller(of: path, parameters, request, nil)
            let app = try body.required("apiToken").string()
            return (try await service.webAuthToken(for: app, by: caller), nil)
        }
    }

    /// `POST /sign-in/end?ckWebAuthToken=…` ends the session of that token.
    func end(_ request: Request) async -> Response {
        await answering(request, needsPlace: false) { _, _, parameters in
            if let token = parameters.webAuthToken { try await service.endSession(of: token) }
            return (nil, nil)
        }
    }

    private func answering(
        _ request: Request, needsPlace: Bool = true,
        _ work: (JSONNode, RequestPath, RequestParameters) async throws -> (token: String?, name: String?)
    ) async -> Response {
        let uuid = service.seams.randomUUID()
        do {
            let body = try await door.smallBody(of: request)
            let path = RequestPath(
                container: needsPlace ? try body.required("container").string() : "",
                environment: needsPlace ? try Self.environment(body) : .development, database: .public,
                endpoint: .usersCaller
            )
            let parameters = RequestParameters(query: request.uri.query ?? "")
            let result = try await work(body, path, parameters)
            var json = JSONWriter()
            json.beginObject()
            json.member("ckWebAuthToken", result.token)
            json.member("userRecordName", result.name)
            json.endObject()
            var response = Door.response(.ok, json.bytes, uuid: uuid)
            response.headers[.cacheControl] = "no-store"
            return response
        } catch {
            return door.failure(error, uuid: uuid, addsDetails: true)
        }
    }

    private static func environment(_ body: JSONNode) throws -> CloudEnvironment {
        try CloudEnvironment(wire: body.required("environment").string())
    }
}

extension Door {
    /// The error with the address of the page where to sign in, where that is what helps.
    func leadingToSignIn(_ error: any Error, _ request: Request) async -> any Error {
        guard var known = error as? RecordError, known.code == .authenticationRequired,
            let path = try? RequestPath(path: request.uri.path)
        else { return error }
        let parameters = RequestParameters(query: request.uri.query ?? "")
        let ticket = try? await service.signInTicket(
            apiToken: parameters.apiToken, origin: request.headers[.origin], container: path.container,
            environment: path.environment
        )
        if let ticket { known.redirectURL = origin(of: request) + SignInDoor.path + "?ctx=" + ticket }
        return known
    }
}
