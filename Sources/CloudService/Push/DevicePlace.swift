// Owns what the desk knows of one device.

extension PushHub {
    /// What the desk knows of one device.
    struct Place {
        /// Whose device it is; nil: nobody's, the place is free.
        var owner: String?
        var outbox = DeviceOutbox()
        /// The connection that waits for something to look at.
        var waiting: (connection: Int, answer: Answer)?
        var line: Line?
        /// Whether its pushes are being sent through the gateway.
        var isServed = false

        /// Where to write what comes, as long as the connection waits for it.
        var waitingLine: Line? { waiting?.connection == line?.connection ? line : nil }

        /// Ends the waiting of the connection, if it waits; the answer is to be resumed.
        mutating func wake() -> Answer? {
            defer { waiting = nil }
            return waiting?.answer
        }
    }
}
