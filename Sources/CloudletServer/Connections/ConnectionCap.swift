import HummingbirdCore
import Logging

/// Counts connections where they are accepted. Those beyond the most wait with the system until others end.
struct ConnectionCap: AvailableConnectionsDelegate {
    let most: Int
    private let logger: Logger
    private var count = 0
    /// Whether it was said that there are as many as there may be; forgotten when a tenth has gone.
    private var isTold = false

    /// - Parameter most: nil: as many as leave files for so many databases, and half of all at least.
    init(_ most: Int?, files: Int, databases: Int, logger: Logger) {
        let reserved = min(databases * OpenFiles.perDatabase + OpenFiles.others, files / 2)
        self.most = max(most ?? files - reserved, 1)
        self.logger = logger
    }

    mutating func connectionOpened() {
        count += 1
        if count < most || isTold { return }
        isTold = true
        logger.error(
            """
            \(count) connections are open, as many as there may be; others wait until one ends - raise the \
            limit of open files (ulimit -n), or ServerConfiguration.connectionLimit if a program set it
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
