import Foundation

/// The archived configuration of an operation and its group, without the container.
struct ArchivedOperationConfiguration: Codable {
    var quality: Int?
    var allowsCellularAccess: Bool?
    var timeoutForRequest: TimeInterval?
    var timeoutForResource: TimeInterval?

    init(_ configuration: CKOperationConfiguration) {
        let values = configuration.explicit
        quality = values.qualityOfService?.rawValue
        allowsCellularAccess = values.allowsCellularAccess
        timeoutForRequest = values.timeoutIntervalForRequest
        timeoutForResource = values.timeoutIntervalForResource
    }

    /// A configuration for a long-lived operation with these values.
    var configuration: CKOperationConfiguration {
        var values = CKOperationConfiguration.Values(isLongLived: true)
        values.qualityOfService = quality.flatMap(QualityOfService.init(rawValue:))
        values.allowsCellularAccess = allowsCellularAccess
        values.timeoutIntervalForRequest = timeoutForRequest
        values.timeoutIntervalForResource = timeoutForResource
        return CKOperationConfiguration(values)
    }
}
