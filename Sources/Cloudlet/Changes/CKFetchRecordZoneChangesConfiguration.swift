public import Foundation

/// Where to begin in the feed of a zone, and what of it to bring.
// Sendable because properties are set before the operation starts, which copies the configuration.
open class CKFetchRecordZoneChangesConfiguration: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The token of the last fetch; nil: from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// At most so many changes a page; 0 leaves it to the server.
    open var resultsLimit: Int = 0
    /// The fields wanted; nil: all, empty: none. Assets in other fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?

    /// Everything, from the beginning.
    public override init() {
        super.init()
    }

    /// What changed since the token, in pages of that size, with these fields.
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

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let plain = Archive.read(PlainConfiguration.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        previousServerChangeToken = plain.token.map { CKServerChangeToken(text: $0) }
        resultsLimit = plain.limit
        desiredKeys = plain.keys
    }

    /// An independent configuration with the same wishes.
    open func copy(with zone: NSZone? = nil) -> Any {
        CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
            desiredKeys: desiredKeys)
    }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the wishes under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(PlainConfiguration(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKFetchRecordZoneChangesConfiguration"
}

/// A configuration as archives hold it.
struct PlainConfiguration: Codable {
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
