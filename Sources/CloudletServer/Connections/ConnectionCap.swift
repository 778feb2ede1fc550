import HummingbirdCore
import Logging
import Records

/// Counts connections where they are accepted. Those beyond the most wait with the system until others end.
struct ConnectionCap: AvailableConnectionsDelegate {
    let most: Int
    private let logger: Logger
    private var count = 0
    /// Whether it was said that there are as many as there may be; forgotten when a tenth has gone.
    private var isTold = false

    /// - Parameter most: nil: as many as the limits allow, or as leave files for the databases if those are
    ///   fewer, but half of all files at least.
    init(_ most: Int?, files: Int, limits: Limits, logger: Logger) {
        let reserved = min(limits.openDatabases * OpenFiles.perDatabase + OpenFiles.others, files / 2)
        self.most = max(most ?? min(files - reserved, limits.connections), 1)
        self.logger = logger
    }

    mutating func connectionOpened() {
        count += 1
        if count < most || isTold { return }
        isTold = true
        logger.error(
            """
            \(count) connections are open, as many as there may be; others wait until one ends - raise \
            ServerConfiguration.connectionLimit or Limits.connections, and the limit of open files (ulimit -n)
            """)
    }

    mutating func connectionClosed() {
        count -= 1
        if count < most - most / 10 { isTold = false }
    }

    func isAcceptingNewConnections() -> Bool { count < most }

    /// How many are accepted at a time. Bursts of connections wait in one queue, where a few at a time would
    /// keep everybody waiting behind them. There may be so many more than the most, so they are few of it.
    var atOnce: Int { min(max(most / 64, 4), 64) }
}
