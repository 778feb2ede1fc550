public import Foundation

/// How an operation runs; what is not set is taken from its group, else from the defaults.
// Sendable because the values lie behind a lock.
open class CKOperationConfiguration: NSObject, @unchecked Sendable {
    /// What was set explicitly.
    struct Values {
        var container: CKContainer?
        var qualityOfService: QualityOfService?
        var allowsCellularAccess: Bool?
        var isLongLived: Bool?
        var timeoutIntervalForRequest: TimeInterval?
        var timeoutIntervalForResource: TimeInterval?

        /// These values, and those of `others` where there are none.
        func filled(from others: Values) -> Values {
            Values(
                container: container ?? others.container,
                qualityOfService: qualityOfService ?? others.qualityOfService,
                allowsCellularAccess: allowsCellularAccess ?? others.allowsCellularAccess,
                isLongLived: isLongLived ?? others.isLongLived,
                timeoutIntervalForRequest: timeoutIntervalForRequest ?? others.timeoutIntervalForRequest,
                timeoutIntervalForResource: timeoutIntervalForResource ?? others.timeoutIntervalForResource
            )
        }
    }

    private let values: Locked<Values>

    /// A configuration that leaves everything open.
    public override init() {
        values = Locked(Values())
    }

    init(_ values: Values) {
        self.values = Locked(values)
    }

    /// What was set explicitly.
    var explicit: Values { values.current }

    /// The container to run in; nil means `CKContainer.default()`.
    open var container: CKContainer? {
        get { values.withLock { $0.container } }
        set { values.withLock { $0.container = newValue } }
    }

    /// How urgent the work is; `.default` at first.
    ///
    /// `.userInteractive` and `.userInitiated` never wait: without a network they fail at once. `.utility`
    /// and `.background` are sent again when the network fails, for as long as `timeoutIntervalForResource`
    /// says. `.background`, and all but the urgent ones while the app is not in front, wait for a good
    /// network and power; see `CloudConditions`.
    open var qualityOfService: QualityOfService {
        get { values.withLock { $0.qualityOfService } ?? .default }
        set { values.withLock { $0.qualityOfService = newValue } }
    }

    /// Whether a network that costs by what is sent may be used, as `CloudConditions` tells; true at first.
    open var allowsCellularAccess: Bool {
        get { values.withLock { $0.allowsCellularAccess } ?? true }
        set { values.withLock { $0.allowsCellularAccess = newValue } }
    }

    /// Whether the operation outlives the process, where `CloudConnection.operationFolder` says; false at
    /// first. Without effect once it has started.
    open var isLongLived: Bool {
        get { values.withLock { $0.isLongLived } ?? false }
        set { values.withLock { $0.isLongLived = newValue } }
    }

    /// Seconds in which nothing moves after which a request has failed with `.networkFailure`; 60 at first.
    open var timeoutIntervalForRequest: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForRequest } ?? 60 }
        set { values.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// Seconds for each round trip, after which it fails with `.networkFailure`; a week at first, or -1,
    /// meaning no limit, for urgent work. An operation may make several round trips.
    open var timeoutIntervalForResource: TimeInterval {
        get {
            let isUrgent = [.userInteractive, .userInitiated].contains(qualityOfService)
            return values.withLock { $0.timeoutIntervalForResource } ?? (isUrgent ? -1 : 7 * 24 * 3600)
        }
        set { values.withLock { $0.timeoutIntervalForResource = newValue } }
    }
}
