public import Foundation

/// The configuration of one zone in the class that was used before iOS 12.
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesConfiguration")
open class CKFetchRecordZoneChangesOptions: NSObject, NSSecureCoding, NSCopying {
    /// The token of the previous fetch; nil fetches from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of changes per page; 0 lets the server decide.
    open var resultsLimit: Int = 0
    /// The names of the fields to fetch: nil fetches all fields, an empty array fetches none.
    open var desiredKeys: [CKRecord.FieldKey]?

    /// Creates options that fetch all changes and all fields.
    public override init() {
        super.init()
    }

    init(_ configuration: CKFetchRecordZoneChangesConfiguration) {
        previousServerChangeToken = configuration.previousServerChangeToken
        resultsLimit = configuration.resultsLimit
        desiredKeys = configuration.desiredKeys
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(ArchivedZoneConfiguration.self, as: Self.archiveKey, from: coder)
        else {
            return nil
        }
        previousServerChangeToken = plain.token.map { CKServerChangeToken(text: $0) }
        resultsLimit = plain.limit
        desiredKeys = plain.keys
    }

    /// Returns an independent object with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesOptions(configuration)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the configuration under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedZoneConfiguration(configuration), as: Self.archiveKey, to: coder)
    }

    /// The same options as a current configuration.
    var configuration: CKFetchRecordZoneChangesConfiguration {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }

    private static let archiveKey = "cloudlet.CKFetchRecordZoneChangesOptions"
}
