public import Foundation

/// The token, page size and fields for fetching one zone's changes.
///
/// Apple's page:
/// <https://developer.apple.com/documentation/cloudkit/ckfetchrecordzonechangesoperation/zoneconfiguration>.
// Sendable because properties are set before the operation starts, and the operation copies the
// configuration.
open class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The token of the previous fetch; nil fetches from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of changes per page; 0 lets the server decide.
    open var resultsLimit: Int = 0
    /// The names of the fields to fetch: nil fetches all fields, an empty array fetches none. Assets in other
    /// fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Creates a configuration that fetches all changes and all fields.
    public override init() {
        super.init()
    }

    /// Creates a configuration. Without a token it fetches from the beginning; without a limit, the server
    /// decides the page size; without keys, it fetches all fields.
    public convenience init(
        previousServerChangeToken: CKServerChangeToken? = nil,
        resultsLimit: Int? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
        self.resultsLimit = resultsLimit ?? 0
        self.desiredKeys = desiredKeys
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

    /// Returns an independent configuration with the same properties.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the configuration under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(ArchivedZoneConfiguration(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKFetchRecordZoneChangesConfiguration"
}

/// The archived form of a configuration.
struct ArchivedZoneConfiguration: Codable {
    var token: String?
    var limit: Int
    var keys: [String]?

    init(_ configuration: CKFetchRecordZoneChangesConfiguration) {
        token = configuration.previousServerChangeToken?.text
        limit = configuration.resultsLimit
        keys = configuration.desiredKeys
    }

    var configuration: CKFetchRecordZoneChangesConfiguration {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: token.map { CKServerChangeToken(text: $0) }, resultsLimit: limit,
            desiredKeys: keys)
    }
}
