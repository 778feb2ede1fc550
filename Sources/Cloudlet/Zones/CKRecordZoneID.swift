public import Foundation
internal import Records

/// The name of a zone and of the person it belongs to, compared by value.
// Sendable because both properties are constant.
open class CKRecordZoneID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let name: String
    private let owner: String

    /// The zone of that name in the database of that person; without an owner, one's own.
    public init(
        zoneName: String = CKRecordZone.ID.defaultZoneName,
        ownerName: String = CKCurrentUserDefaultName
    ) {
        name = zoneName
        owner = ownerName
    }

    /// The spelling from before the owner had a default; nil means oneself.
    @available(*, deprecated, message: "Leave out the owner, or pass CKCurrentUserDefaultName.")
    @_disfavoredOverload
    public convenience init(zoneName: String?, ownerName: String?) {
        self.init(
            zoneName: zoneName ?? CKRecordZoneID.defaultZoneName,
            ownerName: ownerName ?? CKCurrentUserDefaultName
        )
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let id = Archive.read(ZoneID.self, as: Self.archiveKey, from: coder) else { return nil }
        name = id.name
        owner = id.owner ?? CKCurrentUserDefaultName
    }

    /// The zone every database has.
    public static let `default` = CKRecordZoneID()

    /// The name of the zone every database has.
    public static let defaultZoneName = "_defaultZone"

    /// Unique in its database, at most 255 ASCII characters.
    open var zoneName: String { name }

    /// The owner's user record name, or `CKCurrentUserDefaultName`.
    open var ownerName: String { owner }

    /// Equal when name and owner are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordZoneID else { return false }
        return other.zoneName == zoneName && other.ownerName == ownerName
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        ZoneID(self).hashValue
    }

    /// Name and owner, for people.
    open override var description: String {
        "<CKRecordZoneID: zoneName=\(zoneName), ownerName=\(ownerName)>"
    }

    /// IDs do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes name and owner under a key of this class, so that callers may add keys of their own.
    open func encode(with coder: NSCoder) {
        Archive.write(ZoneID(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKRecordZoneID"
}
