/// How a sign-in page hands a session to the app that sent the person there.
package enum SignInCallback: Hashable, Sendable {
    /// By a message to the window that opened the page.
    case message
    /// By leading the browser to this address, with the token as a parameter.
    case redirect(String)
}

/// Names an app to one environment of one container. The token itself is nowhere.
package struct APIToken: Hashable, Sendable {
    /// Names the token to the operator; no secret.
    package var id: String
    package var container: String
    package var environment: CloudEnvironment
    /// What the operator calls it.
    package var label: String
    /// Pages of other origins may not use it; empty: any may.
    package var allowedOrigins: [String]
    package var callback: SignInCallback
    package var created: Timestamp
    /// nil: in force.
    package var revoked: Timestamp?

    package init(
        id: String,
        container: String,
        environment: CloudEnvironment,
        label: String,
        allowedOrigins: [String] = [],
        callback: SignInCallback = .message,
        created: Timestamp,
        revoked: Timestamp? = nil
    ) {
        self.id = id
        self.container = container
        self.environment = environment
        self.label = label
        self.allowedOrigins = allowedOrigins
        self.callback = callback
        self.created = created
        self.revoked = revoked
    }
}

/// The public half of the key by which an app's own server signs its requests.
package struct ServerKey: Hashable, Sendable {
    /// 64 hexadecimal digits, sent with every request.
    package var id: String
    package var container: String
    package var environment: CloudEnvironment
    /// What the operator calls it.
    package var label: String
    /// The point on P-256, in the form of X9.63.
    package var publicKey: [UInt8]
    /// The user record name under which its changes are made; the same for all keys of a container.
    package var owner: String
    package var created: Timestamp
    /// nil: in force.
    package var revoked: Timestamp?

    package init(
        id: String,
        container: String,
        environment: CloudEnvironment,
        label: String,
        publicKey: [UInt8],
        owner: String,
        created: Timestamp,
        revoked: Timestamp? = nil
    ) {
        self.id = id
        self.container = container
        self.environment = environment
        self.label = label
        self.publicKey = publicKey
        self.owner = owner
        self.created = created
        self.revoked = revoked
    }
}
