import RecordStore
package import Records

/// What a request shows to say who it comes from.
package struct Credentials: Hashable, Sendable {
    /// Names the app; good for one container and environment.
    package var apiToken: String?
    /// Names the session of a person.
    package var webAuthToken: String?
    /// What the key of an app's server made of the request.
    package var signature: RequestSignature?
    /// The page that asks, as browsers say it.
    package var origin: String?
    /// The device that asks, if it says so.
    package var device: String?

    package init(
        apiToken: String? = nil, webAuthToken: String? = nil, signature: RequestSignature? = nil,
        origin: String? = nil, device: String? = nil
    ) {
        self.apiToken = apiToken
        self.webAuthToken = webAuthToken
        self.signature = signature
        self.origin = origin
        self.device = device
    }
}

/// The session in which somebody asks. It stays the same while its tokens are renewed.
package struct CallerSession: Hashable, Sendable {
    /// The key under which the directory knows it.
    package var hash: [UInt8]
    /// Whether an open server made it for somebody who proved nothing.
    package var isOpen: Bool

    /// Names the session briefly, in tickets; never 0.
    var number: Int64 { Self.number(of: hash) }

    static func number(of hash: [UInt8]) -> Int64 {
        hash.prefix(8).reduce(0) { $0 << 8 | Int64($1) } | 1
    }
}

/// Who asks, for which container and environment: the result of looking at credentials.
package struct Caller: Hashable, Sendable {
    package enum Identity: Hashable, Sendable {
        /// Nobody in particular: what the role `_world` may.
        case anonymous
        /// A signed-in person, by record name in this container.
        case person(String)
        /// A server-to-server key, acting as the person who owns it, in the public database only.
        case serverKey(id: String, owner: String)
    }

    package var container: String
    package var environment: CloudEnvironment
    package var identity: Identity
    package var device: String?
    /// The token to use from now on, for callers who showed one.
    package var nextToken: String?
    /// The session that was shown.
    package var session: CallerSession?
    /// Why the person whose session was shown counts as nobody; nil when nothing is in the way.
    package var obstacle: RecordError?
    /// The API token that came with the request.
    package var apiToken: String?

    package init(
        container: String, environment: CloudEnvironment, identity: Identity, device: String? = nil
    ) {
        self.container = container
        self.environment = environment
        self.identity = identity
        self.device = device
    }

    /// The record name under which changes are made; nil for the anonymous.
    package var userRecordName: String? {
        switch identity {
        case .anonymous: nil
        case .person(let name), .serverKey(_, let name): name
        }
    }

    /// The record name of the signed-in person. Throws `authenticationRequired` for the anonymous, and
    /// `accessDenied` for keys.
    package func requireUserRecordName() throws(RecordError) -> String {
        switch identity {
        case .person(let name): return name
        case .anonymous: throw notSignedIn
        case .serverKey: throw RecordError.notForKeys("this call", "X-Apple-CloudKit-Request-KeyID")
        }
    }

    /// The record name of the signed-in person, or of the developer as whom a key acts. Throws
    /// `authenticationRequired` for the anonymous.
    package func requireUserOrKey() throws(RecordError) -> String {
        guard let userRecordName else { throw notSignedIn }
        return userRecordName
    }

    /// The server-to-server key that asks; empty when none does.
    var keyID: String {
        if case .serverKey(let id, _) = identity { id } else { "" }
    }

    /// The error for what only a signed-in person may do, to a caller who is none.
    var notSignedIn: RecordError { obstacle ?? .signInRequired }

    /// Tells how to add an index that a query lacks.
    var indexMending: QueryRules.Mending {
        { [container, environment] type, field, index in
            let mark = "cloudlet schema index \(container) \(type) \(field) \(index)"
            let deploy = "cloudlet schema deploy \(container)"
            return environment == .development ? mark : "\(mark) && \(deploy)"
        }
    }
}
