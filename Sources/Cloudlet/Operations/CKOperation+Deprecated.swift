public import Foundation

extension CKOperation {
    /// The container to run in.
    public var container: CKContainer? {
        get { configuration.container }
        set { change { $0.container = newValue } }
    }

    /// Whether the operation may use a metered network.
    public var allowsCellularAccess: Bool {
        get { configuration.allowsCellularAccess }
        set { change { $0.allowsCellularAccess = newValue } }
    }

    /// Whether the operation can outlive the process.
    public var isLongLived: Bool {
        get { configuration.isLongLived }
        set { change { $0.isLongLived = newValue } }
    }

    /// The number of seconds without progress after which a request fails.
    public var timeoutIntervalForRequest: TimeInterval {
        get { configuration.timeoutIntervalForRequest }
        set { change { $0.timeoutIntervalForRequest = newValue } }
    }

    /// The maximum number of seconds for each round trip.
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
