import HummingbirdCore
import Logging
import Records

/// Limits the number of connections. Further connections wait in the system's queue until others end.
struct ConnectionCap: AvailableConnectionsDelegate {
    let most: Int
    private let logger: Logger
    private var count = 0
    /// Whether reaching the limit was logged; reset when a tenth of the connections have ended.
    private var isLogged = false

    /// - Parameters:
    ///   - most: The maximal number of connections. nil: the limit in `limits`, or half the number of files
    ///     that the databases leave if that is fewer, because a connection that transfers a file needs two.
    ///     At most half of all files are left to the databases.
    ///   - files: The number of files that the process may open.
    init(_ most: Int?, files: Int, limits: Limits, logger: Logger) {
        let reserved = min(limits.openDatabases * OpenFiles.perDatabase + OpenFiles.others, files / 2)
        self.most = max(most ?? min((files - reserved) / 2, limits.connections), 1)
        self.logger = logger
    }

    mutating func connectionOpened() {
        count += 1
        if count < most || isLogged { return }
        isLogged = true
        logger.error(
            """
            \(count) connections are open, which is the limit; others wait until one ends - raise \
            ServerConfiguration.connectionLimit or Limits.connections, and the limit of open files (ulimit -n)
            """)
    }

    mutating func connectionClosed() {
        count -= 1
        if count < most - most / 10 { isLogged = false }
    }

    func isAcceptingNewConnections() -> Bool { count < most }

    /// The number of connections that are accepted at a time. If it were small, a burst of connections would
    /// delay all clients, because they wait in one queue. The total can exceed `most` by this number, so it
    /// is a small part of `most`.
    var atOnce: Int { min(max(most / 64, 4), 64) }
}
