package import CloudHTTP
package import CloudService
public import Foundation
public import Logging
public import Records

/// The settings of a server.
public struct ServerConfiguration: Sendable {
    /// The place where a server keeps its data.
    public enum Storage: Sendable {
        /// In a temporary folder that is deleted when the server stops.
        case temporary
        /// In this folder, permanently: an acknowledged write survives a power failure.
        case folder(URL)
    }

    /// The operations that are allowed without credentials.
    public enum Access: Hashable, Sendable {
        /// Open for a server that serves only its own process, and for a temporary one that listens on a
        /// loopback address. Closed for every server that listens and keeps its data, because a proxy on this
        /// machine may forward requests of strangers to it.
        case automatic
        /// For development: people sign in by name, apps need no token, containers are created on first use,
        /// and faults can be injected by requests. Anyone who can connect to the port can sign in as any
        /// person.
        ///
        /// Over the network such a server refuses forwarded requests, requests to a host that is not this
        /// machine, `host` or the host of `publicURL`, and requests from web pages that this machine does not
        /// serve.
        case open
        /// For production: people sign in with passwords, apps send tokens, and containers must exist.
        case closed
    }

    /// Who can use the console, the pages on which operators view and change the server's data.
    public enum ConsoleAccess: Hashable, Sendable {
        /// On an open server that only this machine can reach: everybody, as administrator. On other servers:
        /// nobody.
        case automatic
        /// On an open server that only this machine can reach: everybody, as administrator. On other servers:
        /// operators who sign in.
        case on
        /// Nobody.
        case off
    }

    /// The place where the server keeps its data.
    public var storage: Storage
    /// The PostgreSQL database that keeps records and accounts, such as
    /// `postgresql://cloudlet@db.example/cloudlet`; nil: files in the data folder. It needs PostgreSQL's
    /// library libpq.
    public var database: String?
    /// The bucket that keeps the files of assets; nil: the data folder. It needs the package trait
    /// `Networking`.
    public var assets: AssetBucket?
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on: 0 for a free one, nil to serve this process only.
    public var port: Int?
    /// The maximal number of simultaneous connections; further ones wait. nil: `Limits.connections`, or fewer
    /// if the process may not open two files for each connection in addition to the files of its databases.
    public var connectionLimit: Int?
    /// The maximal number of simultaneous connections of one network address (of one /64 network for IPv6);
    /// further ones are closed. nil: a quarter of all connections; while four fifths of all are in use, a
    /// sixteenth or fewer (see `ConnectionCounts`). At most half of an address's connections may have a
    /// request that has not arrived completely.
    public var connectionsPerAddress: Int?
    /// The TLS certificate of a server that listens; nil: no TLS.
    public var certificate: CertificateFiles?
    /// The URL under which clients reach the server if it differs from its own, such as
    /// `https://cloud.example.org` behind a proxy. URLs in answers begin with it.
    public var publicURL: String?
    /// The proxies in front of the server, as addresses or ranges such as `127.0.0.1` and `10.0.0.0/8`. From
    /// these proxies, `X-Forwarded-For` or `Forwarded` determines the client's address; from everybody else
    /// these headers are ignored.
    public var trustedProxies: [String] = []
    /// The URL of the app's web page, such as `https://app.example/open/`, to which a share's page links for
    /// its participants; the short GUID of the share is appended. It applies to containers without a URL of
    /// their own. nil: the page says that the shared records appear in the app.
    public var fallbackURL: String?
    /// Sends the code with which an invited person verifies the address of the invitation: an e-mail address,
    /// or a phone number that begins with `+`. nil: an open server shows the code, and a closed one accepts
    /// only the addresses of accounts.
    public var codeSender: (@Sendable (_ address: String, _ code: String) async throws -> Void)?
    /// The settings for sending pushes to Apple's devices; nil: devices fetch their pushes from this server.
    public var applePush: ApplePushSettings?
    /// Returns the present time. The default is the system's time, except in the first two hours after it was
    /// set by more than a day; during these the server continues from the previous time.
    public var clock: @Sendable () -> Date
    /// Waits while a fault delays a request, until a push is due, and before a failed push is sent again. A
    /// test replaces it to advance its clock instead of waiting.
    public var pause: @Sendable (Duration) async throws -> Void
    /// Waits in real time: while a poll or stream waits for its next push, and between the runs of periodic
    /// work, such as the evaluation of alerts.
    package var idle: @Sendable (Duration) async throws -> Void
    /// Returns a monotonic time for measuring durations, in real time.
    package var uptime: @Sendable () -> Duration
    /// The limits of requests, records and the server.
    public var limits = Limits()
    /// The seed that makes identifiers and secrets reproducible, except the operator's key; nil takes them
    /// from the system's random numbers. Never set it where secrets must be secure. Each later start on the
    /// same data folder derives another seed, so its identifiers differ and are reproducible too.
    public var seed: UInt64?
    /// The operations that are allowed without credentials.
    public var access = Access.automatic
    /// Who can use the console below `/console`.
    public var console = ConsoleAccess.automatic
    /// The folder in which administrators make backups on the console's page *Maintenance*; nil: the page
    /// offers no backups.
    public var backups: URL?
    /// The rules for alerts to the operator, such as `errors>5%`, `quota>90%`, `people>0` and `silence>30m`,
    /// separated by commas; nil: no alerts.
    public var alerts: String?
    /// Sends an alert to the operator, as a JSON object with the members `rule`, `state` (`raised` or
    /// `cleared`), `value`, `at`, `nextStep` and, for a quota, `subject`. If it throws, the alert is sent
    /// again a minute later.
    public var alertSender: (@Sendable (_ json: String) async throws -> Void)?
    /// Whether the server counts its requests, for the page Performance of the console, the command
    /// `telemetry` and `GET /metrics`. The counts name neither people nor records.
    public var countsRequests = true
    /// The threads for slow reads; nil: threads of low priority, as many as there are processors, at least
    /// two.
    package var threads: WorkThreads?
    /// The threads for decoding large bodies and encoding large answers; nil: threads of low priority, half
    /// as many as there are processors, at least one.
    package var bodyThreads: WorkThreads?
    /// The scrypt parameters for hashing passwords.
    package var passwordCost = PasswordCost()
    /// The log for the operator. At the level `info`, it has a line for each request.
    public var logger: Logger
    /// How much of a client's network address a log line about a request shows.
    package var loggedAddresses = LoggedAddresses.network
    /// Receive the measurement of each answered request.
    package var observers: [any RequestObserver] = []

    /// Creates the settings of a server for this process, with defaults for everything else.
    public init(storage: Storage) {
        self.storage = storage
        pause = { try await Task.sleep(for: $0) }
        idle = { try await Task.sleep(for: $0) }
        let origin = ContinuousClock.now
        let uptime: @Sendable () -> Duration = { origin.duration(to: .now) }
        self.uptime = uptime
        let clock = SteadyClock(wall: { Date() }, uptime: uptime)
        self.clock = { clock.now }
        var logger = Logger(label: "cloudlet")
        logger.logLevel = .error
        self.logger = logger
    }

    /// Whether the server is open (see `Access.open`).
    package var isOpen: Bool {
        switch access {
        case .open: true
        case .closed: false
        case .automatic: port == nil || (isTemporary && !isReachable)
        }
    }

    /// Whether other machines can reach the server.
    package var isReachable: Bool { port != nil && !OpenServerRules.isLoopback(host) }

    private var isTemporary: Bool { if case .temporary = storage { true } else { false } }

    /// The settings of a server for this process that deletes its data when it stops.
    ///
    /// To run tests on the engines of a production server, set the variable `CLOUDLET_EPHEMERAL_DATABASE` to
    /// the address of a PostgreSQL database: each server then keeps its data in a new schema there. With
    /// `CLOUDLET_EPHEMERAL_ASSETS`, an address such as `s3://BUCKET?endpoint=https://HOST`, it keeps the
    /// files of assets below a new prefix in this bucket, with the keys in `AWS_ACCESS_KEY_ID` and
    /// `AWS_SECRET_ACCESS_KEY`. `cloudlet exec`, `cloudlet serve --ephemeral` and shells with `--ephemeral`
    /// do the same.
    public static var ephemeral: ServerConfiguration {
        var configuration = ServerConfiguration(storage: .temporary)
        let variables = ProcessInfo.processInfo.environment
        configuration.database = variables["CLOUDLET_EPHEMERAL_DATABASE"]
        configuration.assets = variables["CLOUDLET_EPHEMERAL_ASSETS"].map {
            AssetBucket(
                address: $0, region: variables["AWS_REGION"], keyID: variables["AWS_ACCESS_KEY_ID"] ?? "",
                secret: variables["AWS_SECRET_ACCESS_KEY"] ?? "",
                sessionToken: variables["AWS_SESSION_TOKEN"])
        }
        return configuration
    }
}
