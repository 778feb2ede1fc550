import HummingbirdCore
import Logging
import Records

/// Counts connections when they are accepted. Those beyond `most` wait in the system's queue until others
/// end.
struct ConnectionCap: AvailableConnectionsDelegate {
    let most: Int
    private let logger: Logger
    private var count = 0
    /// Whether reaching the limit was logged; reset when a tenth of the connections have ended.
    private var isLogged = false

    /// - Parameter most: The maximal number of connections. nil: the limit in `limits`, or as many as leave
    ///   files for the databases if that is fewer, but at least a quarter of all files. A connection on which
    ///   a file is uploaded or downloaded needs two.
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

    /// Number of connections accepted at a time. In a burst, all connections wait in one queue, where small
    /// steps would delay everybody. The total can exceed `most` by this number, so it is a small part of
    /// `most`.
    var atOnce: Int { min(max(most / 64, 4), 64) }
}
