import CloudService
public import Records

/// The injected faults of a server. They affect all clients of the server.
///
/// A server that keeps its data and listens on a port accepts no faults: `add` logs that and changes nothing.
public struct FaultControls: Sendable {
    private let injector: FaultInjector?
    private let report: @Sendable (String) -> Void

    init(injector: FaultInjector?, report: @escaping @Sendable (String) -> Void) {
        self.injector = injector
        self.report = report
    }

    /// Adds a fault. Returns its number; 0 on a server that accepts no faults.
    @discardableResult
    public func add(_ fault: Fault) -> Int {
        if let injector { return injector.add(fault) }
        report(
            "the fault \(fault.kind.rawValue) is ignored, because the server keeps its data and listens "
                + "on the network")
        return 0
    }

    /// Removes a fault. Returns false if there is none with that number.
    @discardableResult
    public func remove(_ id: Int) -> Bool { injector?.remove(id) ?? false }

    /// Removes all faults.
    public func clear() { injector?.clear() }

    /// The active faults, in the order in which they were added.
    public var active: [ActiveFault] { injector?.entries ?? [] }
}
