// Owns the dials by which the user of a server makes things go wrong.

import CloudService

/// The faults in force on a server: shared by everybody who holds the server.
public struct FaultControls: Sendable {
    /// A fault in force, with its history.
    public struct InForce: Hashable, Sendable {
        /// Names the fault on its server; never used twice.
        public let id: Int
        /// What was added.
        public let fault: ServerFault
        /// Calls that it was about.
        public let met: Int
        /// Calls that it befell.
        public let struck: Int
    }

    private let desk: FaultDesk

    init(desk: FaultDesk) {
        self.desk = desk
    }

    /// Puts a fault in force. Returns its number.
    @discardableResult
    public func add(_ fault: ServerFault) -> Int {
        desk.add(
            Fault(
                fault.name.kind, endpoint: fault.endpoint, device: fault.device, first: fault.first,
                count: fault.count, seconds: fault.seconds
            )
        )
    }

    /// Ends a fault; false when there is none of that number.
    @discardableResult
    public func remove(_ id: Int) -> Bool { desk.remove(id) }

    /// Ends all faults.
    public func clear() { desk.clear() }

    /// The faults in force, in the order in which they were added.
    public var inForce: [InForce] {
        desk.entries.compactMap { entry in
            ServerFault(entry.fault).map {
                InForce(id: entry.id, fault: $0, met: entry.met, struck: entry.struck)
            }
        }
    }
}
