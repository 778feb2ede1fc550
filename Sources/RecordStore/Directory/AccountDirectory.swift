package import Records

/// What is kept of a session beside the hash of its token.
package struct Session: Hashable, Sendable {
    /// The account's `id`.
    package var account: String
    /// The one container and environment that it is good for; nil: for all.
    package var place: Place?
    /// For so many seconds each token of the session is good; nil: for ever.
    package var lifetime: Int64?
    /// Whether an open server made it for somebody who proved nothing: it is good for open servers only.
    package var isOpen: Bool
    /// When it was last used, give or take a part of its lifetime.
    package var seen: Timestamp

    /// A container in one environment.
    package struct Place: Hashable, Sendable {
        package var container: String
        package var environment: CloudEnvironment

        package init(container: String, environment: CloudEnvironment) {
            self.container = container
            self.environment = environment
        }
    }

    package init(
        account: String, place: Place?, lifetime: Int64?, seen: Timestamp, isOpen: Bool = false
    ) {
        self.account = account
        self.place = place
        self.lifetime = lifetime
        self.seen = seen
        self.isOpen = isOpen
    }
}

/// Sessions that have ended, and the devices that were registered in them and are forgotten with them.
package struct EndedSessions: Hashable, Sendable {
    package var hashes: [[UInt8]]
    package var devices: [PushToken]

    package init(hashes: [[UInt8]] = [], devices: [PushToken] = []) {
        self.hashes = hashes
        self.devices = devices
    }
}

/// People and who of them is signed in. All methods throw `RecordError`.
package protocol AccountDirectory: Sendable {
    /// The account of that name, made with `newID` if there is none. Throws `exists` when it would have to be
    /// made, and the name is somebody's e-mail address or phone number.
    func account(named name: String, newID: String, at time: Timestamp) async throws -> Account

    /// Adds an account; `password` is a hash. Throws `exists` when somebody else has the name, e-mail address
    /// or phone number: a name that is somebody's address counts as taken, since both serve to sign in.
    func add(_ account: Account, password: String?) async throws

    /// All accounts in the order of their names.
    func accounts() async throws -> [Account]

    /// The account of that name, or else of that e-mail address; nil if nobody's.
    func account(signingInAs name: String) async throws -> Account?

    /// Replaces what is known of the person with that `id`, the password excepted, and the hashes to find the
    /// person by. Throws as `add` does, and `notFound`.
    func change(_ account: Account, hashes: ContactHashes) async throws

    /// The hash of the account's password; nil if it has none.
    func password(of account: String) async throws -> String?

    /// Replaces the hash of the password and ends all sessions of the account, with all its devices.
    func setPassword(_ password: String?, of account: String) async throws -> EndedSessions

    /// Forgets an account with all that hangs on it.
    func removeAccount(_ account: String) async throws -> EndedSessions

    /// The person's record name in a container: `candidate` at first, the same ever after (talk 1,
    /// "Identity").
    func userRecordName(of account: Account, in container: String, candidate: String) async throws -> String

    /// The person's record names by container.
    func userRecordNames(of account: String) async throws -> [String: String]

    /// Whose record name it is; nil if nobody's.
    func account(withUserRecordName name: String, in container: String) async throws -> Account?

    // MARK: Sessions

    /// Remembers a session by the hash of its token. When the person has as many sessions as `limit` in that
    /// container, the one used longest ago ends.
    func addSession(hash: [UInt8], _ session: Session, limit: Int) async throws -> EndedSessions

    /// The session and whose it is; nil if nobody's.
    func session(hash: [UInt8]) async throws -> (session: Session, account: Account)?

    /// Notes that a session is in use.
    func touchSession(hash: [UInt8], at time: Timestamp) async throws

    /// Ends a session, with the devices that were registered in it.
    func removeSession(hash: [UInt8]) async throws -> EndedSessions

    /// Ends all sessions of an account, with all its devices.
    func removeSessions(of account: String) async throws -> EndedSessions

    /// Ends all sessions that open servers made for people who proved nothing, with the devices that were
    /// registered in them.
    func removeOpenSessions() async throws -> EndedSessions

    /// Forgets the sessions whose last token is no good any more at that time.
    func forgetSessions(at time: Timestamp) async throws
}
