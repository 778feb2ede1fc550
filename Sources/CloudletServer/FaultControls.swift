import CloudService
public import Records

/// The faults in force on a server: shared by everybody who holds the server.
public struct FaultControls: Sendable {
    private let injector: FaultInjector

    init(injector: FaultInjector) {
        self.injector = injector
    }

    /// Puts a fault in force. Returns its number.
    @discardableResult
    public func add(_ fault: Fault) -> Int { injector.add(fault) }

    /// Ends a fault; false when there is none of that number.
    @discardableResult
    public func remove(_ id: Int) -> Bool { injector.remove(id) }

    /// Ends all faults.
    public func clear() { injector.clear() }

    /// The faults in force, in the order in which they were added.
    public var inForce: [FaultInForce] { injector.entries }
}
