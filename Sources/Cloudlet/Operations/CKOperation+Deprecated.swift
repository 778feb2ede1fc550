public import Foundation

extension CKOperation {
    /// The container to run in.
    public var container: CKContainer? {
        get { configuration.container }
        set { change { $0.container = newValue } }
    }

    /// Whether a metered network may be used.
    public var allowsCellularAccess: Bool {
        get { configuration.allowsCellularAccess }
        set { change { $0.allowsCellularAccess = newValue } }
    }

    /// Whether the operation outlives the process.
    public var isLongLived: Bool {
        get { configuration.isLongLived }
        set { change { $0.isLongLived = newValue } }
    }

    /// Seconds in which nothing moves after which a request has failed.
    public var timeoutIntervalForRequest: TimeInterval {
        get { configuration.timeoutIntervalForRequest }
        set { change { $0.timeoutIntervalForRequest = newValue } }
    }

    /// Seconds for each round trip.
    public var timeoutIntervalForResource: TimeInterval {
        get { configuration.timeoutIntervalForResource }
        set { change { $0.timeoutIntervalForResource = newValue } }
    }

    private func change(_ body: (CKOperationConfiguration) -> Void) {
        guard let copy = configuration else { return }
        body(copy)
        configuration = copy
    }
}
