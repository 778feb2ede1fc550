import CloudService
public import Records

/// The faults in force on a server: shared by everybody who holds the server.
///
/// A server that keeps its data and listens for others takes none: `add` logs that and changes nothing.
public struct FaultControls: Sendable {
    private let injector: FaultInjector?
    private let report: @Sendable (String) -> Void

    init(injector: FaultInjector?, report: @escaping @Sendable (String) -> Void) {
        self.injector = injector
        self.report = report
    }

    /// Puts a fault in force. Returns its number; 0 on a server that takes no faults.
    @discardableResult
    public func add(_ fault: Fault) -> Int {
        if let injector { return injector.add(fault) }
        report(
            "the fault \(fault.kind.rawValue) is ignored: this server keeps its data and listens for others")
        return 0
    }

    /// Ends a fault; false when there is none of that number.
    @discardableResult
    public func remove(_ id: Int) -> Bool { injector?.remove(id) ?? false }

    /// Ends all faults.
    public func clear() { injector?.clear() }

    /// The faults in force, in the order in which they were added.
    public var inForce: [FaultInForce] { injector?.entries ?? [] }
}
