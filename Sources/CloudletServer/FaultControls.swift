import CloudService
public import Records

/// The faults in force on a server: shared by everybody who holds the server.
public struct FaultControls: Sendable {
    private let desk: FaultDesk

    init(desk: FaultDesk) {
        self.desk = desk
    }

    /// Puts a fault in force. Returns its number.
    @discardableResult
    public func add(_ fault: Fault) -> Int { desk.add(fault) }

    /// Ends a fault; false when there is none of that number.
    @discardableResult
    public func remove(_ id: Int) -> Bool { desk.remove(id) }

    /// Ends all faults.
    public func clear() { desk.clear() }

    /// The faults in force, in the order in which they were added.
    public var inForce: [FaultInForce] { desk.entries }
}
