import CloudHTTP
package import CloudService
public import Foundation
public import Logging
public import Records

/// How a server runs.
public struct ServerConfiguration: Sendable {
    /// Where a server keeps its data.
    public enum Storage: Sendable {
        /// In a temporary folder that goes when the server stops.
        case temporary
        /// In this folder, for good: an acknowledged write survives the loss of power.
        case folder(URL)
    }

    /// Who may do what without credentials.
    public enum Access: Hashable, Sendable {
        /// Open for a server that serves its own process only, and for a temporary one that listens where
        /// only this machine reaches it. Closed for every server that listens and keeps its data: a proxy on
        /// this machine may lead strangers to it.
        case automatic
        /// For development: people sign in by name, apps need no token, containers come into being at first
        /// use, and faults can be set from outside. Whoever reaches the port may sign in as anybody.
        ///
        /// Over the network such a server answers neither forwarded requests, nor requests to a host that is
        /// not this machine, `host` or that of `publicURL`, nor pages of sites that this machine does not
        /// serve.
        case open
        /// For strangers: people sign in with passwords, apps show tokens, containers must exist.
        case closed
    }

    /// Where the server keeps its data.
    public var storage: Storage
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// The port to listen on: 0 takes a free one, nil serves this process only.
    public var port: Int?
    /// Connections at once; others wait; nil: `Limits.connections`, or fewer if the process may not have
    /// so many files open beside those that its databases need.
    public var connectionLimit: Int?
    /// Connections at once of one network address, an IPv6 network of 64 bits counting as one; more are
    /// closed. nil: a quarter of all, and a sixteenth while four fifths of all are taken. Half of them may be
    /// sending a request that has not come whole.
    public var connectionsPerAddress: Int?
    /// The certificate of a server that listens with TLS; nil: it listens without.
    public var certificate: CertificateFiles?
    /// The address under which clients reach the server, if they name another, behind a proxy for example:
    /// `https://cloud.example.org`. The addresses in its answers begin so.
    public var publicURL: String?
    /// The proxies in front of the server, by address or range, such as `127.0.0.1` and `10.0.0.0/8`: where a
    /// request comes from is what they say in `X-Forwarded-For` or `Forwarded`. Nobody else is believed.
    public var trustedProxies: [String] = []
    /// How the server reaches Apple's devices; nil: devices fetch their pushes here.
    public var applePush: ApplePushSettings?
    /// What the server takes for the present time; by default the system's time, except in the first two
    /// hours after somebody has set it by more than a day: then the server counts on from before.
    public var clock: @Sendable () -> Date
    /// How the server lets time pass when a fault makes it slow.
    public var pause: @Sendable (Duration) async throws -> Void
    /// How the server waits while a connection for pushes is held open and nothing comes: in real time.
    package var idle: @Sendable (Duration) async throws -> Void
    /// How the server measures how long it takes, in real time.
    package var uptime: @Sendable () -> Duration
    /// What a request, a record and the server may hold.
    public var limits = Limits()
    /// Makes identifiers and keys reproducible; nil takes them from the system. Never set it where secrets
    /// matter.
    public var seed: UInt64?
    /// Who may do what without credentials.
    public var access = Access.automatic
    /// Where slow reads run; nil: on threads of low priority, as many as there are processors, two at least.
    package var threads: WorkThreads?
    /// Where large bodies are decoded and large answers made; nil: on threads of low priority, half as many
    /// as there are processors, one at least.
    package var bodyThreads: WorkThreads?
    /// How much work one guess at a password is.
    package var passwordCost = PasswordCost()
    /// Where the server writes what an operator should know.
    public var logger: Logger

    /// The settings of a server for this process; what is not said has its default.
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

    /// Whether all comers are welcome.
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

    /// A server for this process that leaves nothing behind.
    public static var ephemeral: ServerConfiguration { ServerConfiguration(storage: .temporary) }
}
