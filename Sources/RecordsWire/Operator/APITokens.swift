package import Records

/// Lists the API tokens of a container, including revoked ones.
package struct ListTokens: ServerCall {
    package typealias Answer = ListAnswer<APIToken>
    package static let endpoint = ServerEndpoint.operator(.listTokens)

    package var container: String

    package init(of container: String) {
        self.container = container
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", container)
    }
}

/// Creates an API token.
package struct CreateToken: ServerCall {
    package typealias Answer = NewAPIToken
    package static let endpoint = ServerEndpoint.operator(.createToken)

    package var container: String
    package var environment: CloudEnvironment
    /// The operator's name for the token.
    package var label: String
    /// Web origins whose pages may use the token. Empty: pages of any origin.
    package var allowedOrigins: [String]
    package var callback: SignInCallback

    package init(
        for container: String, _ environment: CloudEnvironment, label: String = "",
        allowedOrigins: [String] = [], callback: SignInCallback = .message
    ) {
        self.container = container
        self.environment = environment
        self.label = label
        self.allowedOrigins = allowedOrigins
        self.callback = callback
    }

    package init(reading request: CallReader) throws(RecordError) {
        callback = try SignInCallback(address: request.body["callback"]?.string())
        container = try request.parameter("container")
        environment = try request.environment()
        label = try request.body["label"]?.string() ?? ""
        allowedOrigins = try request.body["allowedOrigins"]?.strings() ?? []
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("label", label)
        request.body.member("allowedOrigins", allowedOrigins)
        request.body.member("callback", callback.address)
    }
}

/// A new token. Only this answer contains its secret text.
package struct NewAPIToken: WireObject {
    package var text: String
    package var token: APIToken

    package init(text: String, token: APIToken) {
        self.text = text
        self.token = token
    }

    package init(_ object: JSONNode) throws(RecordError) {
        text = try object.required("token").string()
        token = try APIToken(object)
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("token", text)
        token.writeMembers(to: &json)
    }
}

/// Revokes an API token.
package struct RevokeToken: ServerCall {
    package typealias Answer = IDAnswer
    package static let endpoint = ServerEndpoint.operator(.revokeToken)

    package var id: String

    package init(id: String) {
        self.id = id
    }

    package init(reading request: CallReader) throws(RecordError) {
        id = try request.parameter("id")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("id", id)
    }
}

extension APIToken: WireListed {
    package static var listName: StaticString { "tokens" }

    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            id: try object.required("id").string(), container: try object.required("container").string(),
            environment: try object.required("environment").environment(),
            label: try object.required("label").string(),
            allowedOrigins: try object.required("allowedOrigins").strings(),
            callback: try SignInCallback(address: object["callback"]?.string()),
            created: try object.required("createdAt").timestamp(),
            revoked: try object["revokedAt"]?.timestamp())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("container", container)
        json.member("environment", environment.rawValue)
        json.member("label", label)
        json.member("allowedOrigins", allowedOrigins)
        json.member("callback", callback.address)
        json.member("createdAt", created.milliseconds)
        json.member("revokedAt", revoked?.milliseconds)
    }
}

extension SignInCallback {
    fileprivate init(address: String?) {
        self = address.map { .redirect($0) } ?? .message
    }

    /// The URL to redirect to; nil for a message.
    package var address: String? {
        if case .redirect(let address) = self { address } else { nil }
    }
}
