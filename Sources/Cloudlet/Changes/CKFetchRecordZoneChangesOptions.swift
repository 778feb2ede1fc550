public import Foundation

/// What is wanted of the changes of one zone, in the class of the first years.
@available(*, deprecated, renamed: "CKFetchRecordZoneChangesConfiguration")
open class CKFetchRecordZoneChangesOptions: NSObject, NSSecureCoding, NSCopying {
    /// The token of the last fetch; nil: from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// At most so many changes a page; 0 leaves it to the server.
    open var resultsLimit: Int = 0
    /// The fields wanted; nil: all, empty: none.
    open var desiredKeys: [CKRecord.FieldKey]?

    /// Everything, from the beginning.
    public override init() {
        super.init()
    }

    init(_ configuration: CKFetchRecordZoneChangesConfiguration) {
        previousServerChangeToken = configuration.previousServerChangeToken
        resultsLimit = configuration.resultsLimit
        desiredKeys = configuration.desiredKeys
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainConfiguration.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        previousServerChangeToken = plain.token.map { CKServerChangeToken(text: $0) }
        resultsLimit = plain.limit
        desiredKeys = plain.keys
    }

    /// An independent object with the same wishes.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesOptions(configuration)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the wishes under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(PlainConfiguration(configuration), as: Self.archiveKey, to: coder)
    }

    /// The same wishes in the class of today.
    var configuration: CKFetchRecordZoneChangesConfiguration {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }

    private static let archiveKey = "cloudlet.CKFetchRecordZoneChangesOptions"
}
