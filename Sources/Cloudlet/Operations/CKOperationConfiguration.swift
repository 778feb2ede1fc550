public import Foundation

/// The settings of an operation. Settings that are not set come from its group, then from the defaults.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckoperation/configuration-swift.class>.
// Sendable because the values are behind a lock.
open class CKOperationConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The values that were set explicitly; nil where the default applies.
    struct Values {
        var container: CKContainer?
        var qualityOfService: QualityOfService?
        var allowsCellularAccess: Bool?
        var isLongLived: Bool?
        var timeoutIntervalForRequest: TimeInterval?
        var timeoutIntervalForResource: TimeInterval?

        /// These values, with the unset ones taken from `others`.
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

    /// Creates a configuration in which nothing is set.
    public override init() {
        values = Locked(Values())
    }

    init(_ values: Values) {
        self.values = Locked(values)
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data. The container is made
    /// from its identifier and uses the default connection.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainConfigurationValues.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        values = Locked(plain.values)
    }

    /// The values that were set explicitly; nil where the default applies.
    var explicit: Values { values.current }

    /// The container to use; nil means `CKContainer.default()`.
    open var container: CKContainer? {
        get { values.withLock { $0.container } }
        set { values.withLock { $0.container = newValue } }
    }

    /// How urgent the work is. The default is `.default`, as in Apple's documentation. The convenience
    /// methods of databases and containers set `.userInitiated`.
    ///
    /// The session "What's New with CloudKit" (2016) names `.utility` as the default instead. It is not the
    /// default here, because an operation without a configuration would then be retried for seven days
    /// instead of failing when there is no network. Set `CloudConnection.defaultQualityOfService` to
    /// `.utility` to get that behaviour.
    ///
    /// `.userInteractive`, `.userInitiated` and `.default` operations do not retry: without a network they
    /// fail at once, and if the server does not answer they fail after `timeoutIntervalForRequest`.
    /// `.utility` and `.background` operations send a request again after a network failure, for up to
    /// `timeoutIntervalForResource`. `.background` operations wait for good network and power conditions.
    /// While the app is in the background, `.default` and `.utility` operations wait for them too; see
    /// `CloudConditions`.
    open var qualityOfService: QualityOfService {
        get { values.withLock { $0.qualityOfService } ?? .default }
        set { values.withLock { $0.qualityOfService = newValue } }
    }

    /// Whether the operation may use a metered network, as reported by `CloudConditions`; true by default.
    open var allowsCellularAccess: Bool {
        get { values.withLock { $0.allowsCellularAccess } ?? true }
        set { values.withLock { $0.allowsCellularAccess = newValue } }
    }

    /// Whether the operation can outlive the process, stored in the connection's `operationFolder`; false by
    /// default. Changes after the start have no effect.
    open var isLongLived: Bool {
        get { values.withLock { $0.isLongLived } ?? false }
        set { values.withLock { $0.isLongLived = newValue } }
    }

    /// The number of seconds without progress after which a request fails with `.networkFailure`; 60 by
    /// default.
    open var timeoutIntervalForRequest: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForRequest } ?? 60 }
        set { values.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// The maximum number of seconds for each round trip, after which it fails with `.networkFailure`. The
    /// default is a week, or -1 (no limit) for `.userInteractive` and `.userInitiated`. An operation may need
    /// several round trips.
    open var timeoutIntervalForResource: TimeInterval {
        get {
            let isUrgent = [.userInteractive, .userInitiated].contains(qualityOfService)
            return values.withLock { $0.timeoutIntervalForResource } ?? (isUrgent ? -1 : 7 * 24 * 3600)
        }
        set { values.withLock { $0.timeoutIntervalForResource = newValue } }
    }

    /// Returns an independent configuration with the same settings.
    open func copy(with zone: NSZone? = nil) -> Any { CKOperationConfiguration(explicit) }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the settings that were set explicitly. The archive key belongs to this class, so that
    /// subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(PlainConfigurationValues(explicit), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKOperationConfiguration"
}

/// The archived form of a configuration.
private struct PlainConfigurationValues: Codable {
    var container: String?
    var quality: Int?
    var allowsCellularAccess: Bool?
    var isLongLived: Bool?
    var timeoutForRequest: TimeInterval?
    var timeoutForResource: TimeInterval?

    init(_ values: CKOperationConfiguration.Values) {
        container = values.container?.containerIdentifier
        quality = values.qualityOfService?.rawValue
        allowsCellularAccess = values.allowsCellularAccess
        isLongLived = values.isLongLived
        timeoutForRequest = values.timeoutIntervalForRequest
        timeoutForResource = values.timeoutIntervalForResource
    }

    var values: CKOperationConfiguration.Values {
        CKOperationConfiguration.Values(
            container: container.map { CKContainer(identifier: $0) },
            qualityOfService: quality.flatMap(QualityOfService.init(rawValue:)),
            allowsCellularAccess: allowsCellularAccess, isLongLived: isLongLived,
            timeoutIntervalForRequest: timeoutForRequest, timeoutIntervalForResource: timeoutForResource)
    }
}
