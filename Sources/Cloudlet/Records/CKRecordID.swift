public import Foundation
internal import Records

// Sendable because both properties are immutable.
/// The ID of a record: its name and its zone. IDs are compared by value.
///
/// A name has at most 255 characters. An operation with a name that the server cannot store fails with
/// `CKError.invalidArguments`.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecord/id>.
open class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let name: String
    private let zone: CKRecordZoneID

    // UUID(): the default argument is part of the signature that apps compile against.
    /// Creates an ID from a name and a zone. Without a name, it has a new UUID as its name.
    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default) {
        name = recordName
        zone = zoneID
    }

    /// Decodes an archive that `encode(with:)` or the CloudKit framework wrote; returns nil for any other
    /// data.
    public required init?(coder: NSCoder) {
        if let id = Archive.read(RecordID.self, as: Self.archiveKey, from: coder) {
            name = id.name
            zone = CKRecordZoneID(id.zone)
        } else if let recordName = FrameworkArchive.text("RecordName", from: coder),
            let zoneID = FrameworkArchive.object(CKRecordZoneID.self, "ZoneID", from: coder)
        {
            name = recordName
            zone = zoneID
        } else {
            return nil
        }
    }

    /// The name, unique within its zone.
    open var recordName: String { name }

    /// The zone that contains the record.
    open var zoneID: CKRecordZone.ID { zone }

    /// Equal if both names and zones are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return other.recordName == recordName && other.zoneID == zoneID
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        RecordID(self).hashValue
    }

    /// The name and the zone, for logs.
    open override var description: String {
        "<CKRecordID: recordName=\(recordName), zoneID=\(zoneID.zoneName):\(zoneID.ownerName)>"
    }

    /// Returns the same object, because an ID is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the name and the zone under a key of this class, so that callers can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(RecordID(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKRecordID"
}
