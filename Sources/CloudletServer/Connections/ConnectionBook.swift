import CloudHTTP
import CloudService
import Logging
import NIOCore
import Synchronization

/// Counts the connections of each address, and those of them on which a request has begun and not come whole
/// (law 1).
struct ConnectionBook: Sendable {
    /// What becomes of a connection.
    enum Verdict: Hashable {
        case fits
        case refused
        /// Refused, and the operator has not been told yet that this address has as many as it may.
        case refusedAsNews
    }

    private struct Entry {
        var connections = 0
        var unfinished = 0
        var isTold = false

        mutating func refusal() -> Verdict {
            defer { isTold = true }
            return isTold ? .refused : .refusedAsNews
        }
    }

    /// Connections of one address.
    let most: Int
    /// Connections of one address whose requests are still arriving.
    let mostUnfinished: Int
    /// Connections of all addresses from which on few are left.
    private let plenty: Int
    /// Connections of one address when few are left.
    private let mostWhenFew: Int
    private var total = 0
    private var entries: [NetworkOrigin: Entry] = [:]

    /// One address has so many at most, however many others have.
    init(most: Int) {
        self.init(most: most, plenty: .max, mostWhenFew: most)
    }

    /// Shares what a server takes at once: one address has a quarter at most, and when four fifths are taken
    /// a sixteenth, so that a few addresses cannot shut out all others.
    init(sharing all: Int) {
        self.init(most: all / 4, plenty: all - all / 5, mostWhenFew: all / 16)
    }

    private init(most: Int, plenty: Int, mostWhenFew: Int) {
        self.most = max(most, 1)
        mostUnfinished = max(self.most / 2, 1)
        self.plenty = plenty
        self.mostWhenFew = max(mostWhenFew, 1)
    }

    /// How many addresses have connections.
    var origins: Int { entries.count }

    mutating func open(_ origin: NetworkOrigin) -> Verdict {
        var entry = entries[origin, default: Entry()]
        defer { entries[origin] = entry }
        if entry.connections >= (total < plenty ? most : mostWhenFew) { return entry.refusal() }
        entry.connections += 1
        total += 1
        return .fits
    }

    /// A request on a connection that counts has begun and not come whole.
    mutating func begin(_ origin: NetworkOrigin) -> Verdict {
        guard var entry = entries[origin] else { return .fits }
        defer { entries[origin] = entry }
        if entry.unfinished >= mostUnfinished { return entry.refusal() }
        entry.unfinished += 1
        return .fits
    }

    /// That request has come whole.
    mutating func end(_ origin: NetworkOrigin) {
        entries[origin]?.unfinished -= 1
    }

    /// - Parameter isUnfinished: whether a request was counted by `begin` and not by `end`.
    mutating func close(_ origin: NetworkOrigin, isUnfinished: Bool) {
        guard var entry = entries[origin] else { return }
        entry.connections -= 1
        total -= 1
        if isUnfinished { entry.unfinished -= 1 }
        // Both must have gone down by half: those who stay at one of their bounds would fill the log with the
        // connections that they open and lose.
        if entry.connections <= mostWhenFew / 2, entry.unfinished <= mostUnfinished / 2 {
            entry.isTold = false
        }
        entries[origin] = entry.connections > 0 ? entry : nil
    }
}

/// The book where all connections find it.
final class ConnectionRegister: Sendable {
    private let book: Mutex<ConnectionBook>
    /// Whose connections are many people's.
    private let proxies: TrustedProxies
    private let logger: Logger

    init(_ book: ConnectionBook, proxies: TrustedProxies = TrustedProxies(), logger: Logger) {
        self.book = Mutex(book)
        self.proxies = proxies
        self.logger = logger
    }

    /// Whether the connections of an address are bounded.
    func counts(_ address: SocketAddress?) -> Bool {
        guard let address = address?.ipAddress.flatMap({ NetworkAddress($0) }) else { return true }
        return !proxies.trusts(address)
    }

    /// Counts a connection; false when its address has as many as it may.
    func open(_ origin: NetworkOrigin) -> Bool { admits(book.withLock { $0.open(origin) }) }

    /// Counts a request that has begun; false when its address has as many as it may.
    func begin(_ origin: NetworkOrigin) -> Bool { admits(book.withLock { $0.begin(origin) }) }

    func end(_ origin: NetworkOrigin) { book.withLock { $0.end(origin) } }

    func close(_ origin: NetworkOrigin, isUnfinished: Bool) {
        book.withLock { $0.close(origin, isUnfinished: isUnfinished) }
    }

    private func admits(_ verdict: ConnectionBook.Verdict) -> Bool {
        if verdict == .refusedAsNews {
            let most = book.withLock { $0.most }
            logger.error(
                """
                one network address has as many connections, or requests that do not come whole, as it may \
                (\(most), or less while few are left); more are closed - set \
                ServerConfiguration.connectionsPerAddress if all clients come through one address
                """)
        }
        return verdict == .fits
    }
}
