public import Foundation
internal import Records

/// The ID of a zone: its name and its owner. IDs are compared by value.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecordzone/id>.
// Sendable because both properties are immutable.
open class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let name: String
    private let owner: String

    /// Creates the ID of a zone with this name in the database of this owner, by default the signed-in
    /// person.
    public init(
        zoneName: String = CKRecordZone.ID.defaultZoneName,
        ownerName: String = CKCurrentUserDefaultName
    ) {
        name = zoneName
        owner = ownerName
    }

    /// The initialiser from before the parameters had defaults. A nil name means the default zone, a nil
    /// owner the signed-in person.
    @available(*, deprecated, message: "Leave out the owner, or pass CKCurrentUserDefaultName.")
    @_disfavoredOverload
    public convenience init(zoneName: String?, ownerName: String?) {
        self.init(
            zoneName: zoneName ?? CKRecordZoneID.defaultZoneName,
            ownerName: ownerName ?? CKCurrentUserDefaultName
        )
    }

    /// Decodes an archive that `encode(with:)` or the CloudKit framework wrote; returns nil for any other
    /// data.
    public required init?(coder: NSCoder) {
        if let id = Archive.read(ZoneID.self, as: Self.archiveKey, from: coder) {
            name = id.name
            owner = id.owner ?? CKCurrentUserDefaultName
        } else if let zoneName = FrameworkArchive.text("ZoneName", from: coder) {
            name = zoneName
            owner = FrameworkArchive.text("ownerName", from: coder) ?? CKCurrentUserDefaultName
        } else {
            return nil
        }
    }

    /// The ID of the default zone, which every database has.
    public static let `default` = CKRecordZoneID()

    /// The name of the default zone.
    public static let defaultZoneName = "_defaultZone"

    /// The zone's name: unique within its database, at most 255 ASCII characters.
    open var zoneName: String { name }

    /// The record name of the owner's user record, or `CKCurrentUserDefaultName`.
    open var ownerName: String { owner }

    /// Equal if both names and owners are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return other.zoneName == zoneName && other.ownerName == ownerName
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        ZoneID(self).hashValue
    }

    /// The name and the owner, for logs.
    open override var description: String {
        "<CKRecordZoneID: zoneName=\(zoneName), ownerName=\(ownerName)>"
    }

    /// Returns the same object, because an ID is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the name and the owner under a key of this class, so that callers can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(ZoneID(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKRecordZoneID"
}
