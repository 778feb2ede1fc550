import CloudHTTP
import CloudService
import Logging
import NIOCore
import Synchronization

/// Counts the connections of each network address, and those on which a request has begun but not arrived
/// completely.
struct ConnectionCounts: Sendable {
    /// The decision about a connection or request.
    enum Verdict: Hashable {
        case fits
        case refused
        /// Refused, and the refusal must be logged: it is the first one since the counts of the address, or
        /// of its site, fell to half of their limits.
        case refusedAndLogged
    }

    private struct Entry {
        var connections = 0
        var unfinished = 0
        var isLogged = false

        mutating func refusal() -> Verdict {
            defer { isLogged = true }
            return isLogged ? .refused : .refusedAndLogged
        }
    }

    /// Maximal number of connections of one address.
    let most: Int
    /// Maximal number of connections of one address whose requests have not arrived completely.
    let maximumUnfinished: Int
    /// `maximumWhenScarce` applies when the total number of connections is this or more.
    private let scarceFrom: Int
    /// Maximal number of connections of one address while few are left. `limit` is lower when very few are
    /// left.
    private let maximumWhenScarce: Int
    /// Maximal number of connections of all addresses.
    private let capacity: Int
    /// Maximal number of connections of all addresses of one site.
    private let maximumOfSite: Int
    private var total = 0
    private var entries: [ClientNetwork: Entry] = [:]
    private var sites: [ClientNetwork: Entry] = [:]

    /// Limits one address to `most` connections, regardless of the total.
    init(most: Int) {
        self.init(most: most, scarceFrom: .max, maximumWhenScarce: most, maximumOfSite: .max, capacity: .max)
    }

    /// Divides `capacity` connections. One address may have at most a quarter, and all addresses of a site
    /// together at most a quarter. While four fifths of all are in use, one address may have at most a
    /// sixteenth of all, and at most an eighth of those that are left, but never less than two. So neither a
    /// few addresses nor one site can use up all connections.
    init(sharing capacity: Int) {
        self.init(
            most: capacity / 4, scarceFrom: capacity - capacity / 5, maximumWhenScarce: capacity / 16,
            maximumOfSite: capacity / 4, capacity: capacity)
    }

    private init(most: Int, scarceFrom: Int, maximumWhenScarce: Int, maximumOfSite: Int, capacity: Int) {
        self.most = max(most, 1)
        maximumUnfinished = max(self.most / 2, 1)
        self.scarceFrom = scarceFrom
        self.maximumWhenScarce = max(maximumWhenScarce, 1)
        self.maximumOfSite = max(maximumOfSite, 1)
        self.capacity = capacity
    }

    /// Number of connections of all addresses.
    var connections: Int { total }
    /// Number of addresses with connections.
    var networks: Int { entries.count }

    /// Maximal number of connections of one address at present.
    private var limit: Int {
        total < scarceFrom ? most : min(maximumWhenScarce, max(2, (capacity - total) / 8))
    }

    mutating func open(_ network: ClientNetwork) -> Verdict {
        let site = network.site
        if let site, var whole = sites[site], whole.connections >= maximumOfSite {
            defer { sites[site] = whole }
            return whole.refusal()
        }
        var entry = entries[network, default: Entry()]
        defer { entries[network] = entry }
        if entry.connections >= limit { return entry.refusal() }
        entry.connections += 1
        if let site { sites[site, default: Entry()].connections += 1 }
        total += 1
        return .fits
    }

    /// Counts a request that has begun on a counted connection and has not arrived completely.
    mutating func begin(_ network: ClientNetwork) -> Verdict {
        guard var entry = entries[network] else { return .fits }
        defer { entries[network] = entry }
        if entry.unfinished >= maximumUnfinished { return entry.refusal() }
        entry.unfinished += 1
        return .fits
    }

    /// Ends the count of a request that has arrived completely.
    mutating func end(_ network: ClientNetwork) {
        entries[network]?.unfinished -= 1
    }

    /// - Parameter isUnfinished: whether a request was counted by `begin` and not by `end`.
    mutating func close(_ network: ClientNetwork, isUnfinished: Bool) {
        guard var entry = entries[network] else { return }
        entry.connections -= 1
        total -= 1
        if isUnfinished { entry.unfinished -= 1 }
        // Both counts must have fallen to half of their limits: otherwise an address that stays near a limit
        // would fill the log by opening and losing connections.
        if entry.connections <= maximumWhenScarce / 2, entry.unfinished <= maximumUnfinished / 2 {
            entry.isLogged = false
        }
        entries[network] = entry.connections > 0 ? entry : nil
        guard let site = network.site, var whole = sites[site] else { return }
        whole.connections -= 1
        if whole.connections <= maximumOfSite / 2 { whole.isLogged = false }
        sites[site] = whole.connections > 0 ? whole : nil
    }
}

/// The `ConnectionCounts` of a server, which all its connections share. Logs refusals.
final class ConnectionRegister: Sendable {
    private let connections: Mutex<ConnectionCounts>
    /// Proxies are not limited, because their connections belong to many people.
    private let proxies: TrustedProxies
    private let logger: Logger
    /// Limits the lines in the log; nil: no limit.
    private let refusals: RefusalLog?

    init(
        _ connections: ConnectionCounts, proxies: TrustedProxies = TrustedProxies(),
        refusals: RefusalLog? = nil, logger: Logger
    ) {
        self.connections = Mutex(connections)
        self.proxies = proxies
        self.refusals = refusals
        self.logger = logger
    }

    /// Whether the connections of an address are limited.
    func counts(_ address: SocketAddress?) -> Bool {
        guard let address = address?.ipAddress.flatMap({ NetworkAddress($0) }) else { return true }
        return !proxies.trusts(address)
    }

    /// Counts a connection. Returns false if its address, or the address's site, has reached its limit.
    func open(_ network: ClientNetwork) -> Bool { admits(connections.withLock { $0.open(network) }) }

    /// Counts a request that has begun and not arrived completely. Returns false if its address has reached
    /// its limit.
    func begin(_ network: ClientNetwork) -> Bool { admits(connections.withLock { $0.begin(network) }) }

    func end(_ network: ClientNetwork) { connections.withLock { $0.end(network) } }

    func close(_ network: ClientNetwork, isUnfinished: Bool) {
        connections.withLock { $0.close(network, isUnfinished: isUnfinished) }
    }

    private func admits(_ verdict: ConnectionCounts.Verdict) -> Bool {
        if verdict == .refusedAndLogged {
            if let refusals { refusals.tell(.connection) { warn() } } else { warn() }
        }
        return verdict == .fits
    }

    private func warn() {
        let most = connections.withLock { $0.most }
        logger.error(
            """
            a network address or a site has reached its limit of connections or of incomplete requests \
            (at most \(most) connections of an address, fewer while few are left); further ones are closed - \
            set ServerConfiguration.connectionsPerAddress if all clients use one address
            """)
    }
}
