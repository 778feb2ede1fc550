/// How the sign-in page returns the session to the app that opened it.
package enum SignInCallback: Hashable, Sendable {
    /// Posts a message to the window that opened the page.
    case message
    /// Redirects the browser to this URL, with the web auth token as a query parameter.
    case redirect(String)
}

/// An API token, which identifies an app in one environment of one container. The token's secret is not
/// stored here.
package struct APIToken: Hashable, Sendable {
    /// The identifier that the operator uses. It is not secret.
    package var id: String
    package var container: String
    package var environment: CloudEnvironment
    /// The label that the operator gave it.
    package var label: String
    /// Web origins whose pages may use the token. Empty: pages of any origin.
    package var allowedOrigins: [String]
    package var callback: SignInCallback
    package var created: Timestamp
    /// When it was revoked; nil while it is valid.
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

/// The public key of an app's own server, which signs its requests (server-to-server key).
package struct ServerKey: Hashable, Sendable {
    /// 64 hexadecimal digits. Every signed request carries it.
    package var id: String
    package var container: String
    package var environment: CloudEnvironment
    /// The label that the operator gave it.
    package var label: String
    /// The P-256 public key in X9.63 form.
    package var publicKey: [UInt8]
    /// The user record name of the key's changes. All keys of a container have the same one.
    package var owner: String
    package var created: Timestamp
    /// When it was revoked; nil while it is valid.
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
