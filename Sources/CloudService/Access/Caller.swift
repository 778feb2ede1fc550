import RecordStore
package import Records

/// The credentials that a request carries.
package struct Credentials: Hashable, Sendable {
    /// Identifies the app; valid for one container and environment.
    package var apiToken: String?
    /// Identifies a person's session.
    package var webAuthToken: String?
    /// The signature that the key of an app's server made of the request.
    package var signature: RequestSignature?
    /// The `Origin` header: the page that sent the request.
    package var origin: String?
    /// The identifier of the calling device, if the request names one.
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

/// The session to which a request belongs. It stays the same while its tokens are renewed.
package struct CallerSession: Hashable, Sendable {
    /// SHA-256 of the session's secret; the key of the session in the directory.
    package var hash: [UInt8]
    /// Whether an open server began the session without proof of the person's identity.
    package var isOpen: Bool

    /// A short number for the session, used in tickets; never 0.
    var number: Int64 { Self.number(of: hash) }

    static func number(of hash: [UInt8]) -> Int64 {
        Int64(bitPattern: hash.prefix(8).bigEndianNumber) | 1
    }

    /// The first and the last hash with this number, in the order of their bytes.
    static func hashes(numbered number: Int64) -> (first: [UInt8], last: [UInt8]) {
        var (first, last) = ([UInt8](), [UInt8]())
        first.append(bigEndian: number & ~1)
        last.append(bigEndian: number)
        // A hash has 32 bytes.
        return (first, last + [UInt8](repeating: .max, count: 32 - last.count))
    }
}

/// The caller of a request, with container and environment: the result of checking the credentials.
package struct Caller: Hashable, Sendable {
    package enum Identity: Hashable, Sendable {
        /// Nobody is signed in; only the grants of the role `_world` apply.
        case anonymous
        /// A signed-in person, by record name in this container.
        case person(String)
        /// A server-to-server key: the administrator of the public database, who has no other database.
        /// `owner` is the record name under which its changes are stored.
        case serverKey(id: String, owner: String)
    }

    package var container: String
    package var environment: CloudEnvironment
    package var identity: Identity
    package var device: String?
    /// The web auth token to use from now on; nil if the request carried none.
    package var nextToken: String?
    /// The session of the request's web auth token.
    package var session: CallerSession?
    /// The error because of which the session's person is treated as anonymous, such as a restricted account;
    /// nil for a usable account.
    package var obstacle: RecordError?
    /// The API token of the request.
    package var apiToken: String?
    /// The network address of the request; nil for requests from this process.
    package var network: ClientNetwork?

    package init(
        container: String, environment: CloudEnvironment, identity: Identity, device: String? = nil
    ) {
        self.container = container
        self.environment = environment
        self.identity = identity
        self.device = device
    }

    /// The record name under which the changes of all operators are stored. No person has this name.
    package static let operatorName = "_operator"

    /// An operator, who administers the public database like the container's server and has no other one.
    package static func console(_ container: String, _ environment: CloudEnvironment) -> Caller {
        Caller(
            container: container, environment: environment,
            identity: .serverKey(id: "console", owner: operatorName))
    }

    /// The record name under which the caller's changes are stored; nil for an anonymous caller.
    package var userRecordName: String? {
        switch identity {
        case .anonymous: nil
        case .person(let name), .serverKey(_, let name): name
        }
    }

    /// The record name of the signed-in person. Throws `authenticationRequired` for an anonymous caller, or
    /// the error of the person's account (`obstacle`), and `accessDenied` for a server-to-server key.
    package func requireUserRecordName() throws(RecordError) -> String {
        switch identity {
        case .person(let name): return name
        case .anonymous: throw notSignedIn
        case .serverKey: throw RecordError.notForKeys("this call", "X-Apple-CloudKit-Request-KeyID")
        }
    }

    /// The record name of the signed-in person, or that under which a server-to-server key acts. Throws
    /// `authenticationRequired` for an anonymous caller, or the error of the person's account (`obstacle`).
    package func requireUserOrKey() throws(RecordError) -> String {
        guard let userRecordName else { throw notSignedIn }
        return userRecordName
    }

    /// The ID of the caller's server-to-server key; empty for every other caller.
    var keyID: String {
        if case .serverKey(let id, _) = identity { id } else { "" }
    }

    /// The error for a call that requires a signed-in person.
    var notSignedIn: RecordError { obstacle ?? .signInRequired }

    /// Makes the command line that adds a missing index, for the errors of queries.
    var indexCommand: QueryRules.IndexCommand {
        { [container, environment] type, field, index in
            let command = "cloudlet schema index \(container) \(type) \(field) \(index)"
            let deploy = "cloudlet schema deploy \(container)"
            return environment == .development ? command : "\(command) && \(deploy)"
        }
    }
}

extension ContainerKey {
    /// The container and environment that a caller uses.
    init(_ caller: Caller) {
        self.init(container: caller.container, environment: caller.environment)
    }
}
