// The calls that begin and end sessions.

package import Records

extension SignIn: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            webAuthToken: try object.required("ckWebAuthToken").string(),
            userRecordName: try object["userRecordName"]?.string())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("ckWebAuthToken", webAuthToken)
        json.member("userRecordName", userRecordName)
    }
}

/// Signs a person in with a password. The query contains the app's API token.
package struct SignInWithPassword: ServerCall {
    package typealias Answer = SignIn
    package static let endpoint = ServerEndpoint.signIn(.token)

    package var container: String
    package var environment: CloudEnvironment
    package var name: String
    /// The password; nil if the server is open and the person has none.
    package var password: String?
    package var staysSignedIn: Bool

    package init(
        container: String, environment: CloudEnvironment, name: String, password: String?,
        staysSignedIn: Bool = false
    ) {
        self.container = container
        self.environment = environment
        self.name = name
        self.password = password
        self.staysSignedIn = staysSignedIn
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.body.required("container").string()
        environment = try request.body.required("environment").environment()
        name = try request.body.required("name").string()
        password = try request.body["password"]?.string()
        staysSignedIn = try request.body["staysSignedIn"]?.bool() ?? false
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.member("name", name)
        request.body.member("password", password)
        request.body.member("staysSignedIn", staysSignedIn)
    }
}

/// Creates a web auth token for another app for the signed-in person (`CKFetchWebAuthTokenOperation`).
package struct FetchWebToken: ServerCall {
    package typealias Answer = SignIn
    package static let endpoint = ServerEndpoint.signIn(.webToken)

    package var container: String
    package var environment: CloudEnvironment
    /// The API token of the other app.
    package var apiToken: String

    package init(container: String, environment: CloudEnvironment, apiToken: String) {
        self.container = container
        self.environment = environment
        self.apiToken = apiToken
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.body.required("container").string()
        environment = try request.body.required("environment").environment()
        apiToken = try request.body.required("apiToken").string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.member("apiToken", apiToken)
    }
}

/// Ends the session whose web auth token is in the query.
package struct EndSession: BareCall {
    package typealias Answer = DoneAnswer
    package static let endpoint = ServerEndpoint.signIn(.end)

    package init() {}
}
