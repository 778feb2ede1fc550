public import Foundation
internal import Records

// Sendable because both properties are constant.
/// The identity of a record in a database: its name and its zone, compared by value.
///
/// A name is at most 255 characters. A name the server cannot keep makes the operation that uses it fail with
/// `CKError.invalidArguments`.
open class CKRecordID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    private let name: String
    private let zone: CKRecordZoneID

    // UUID(): the default argument belongs to the signature that apps compile against.
    /// An identity with the given name in the given zone; without a name, a fresh unique one.
    public init(recordName: String = UUID().uuidString, zoneID: CKRecordZone.ID = CKRecordZone.ID.default) {
        name = recordName
        zone = zoneID
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let id = Archive.read(RecordID.self, as: Self.archiveKey, from: coder) else { return nil }
        name = id.name
        zone = CKRecordZoneID(id.zone)
    }

    /// The name, unique in its zone.
    open var recordName: String { name }

    /// The zone that holds the record.
    open var zoneID: CKRecordZone.ID { zone }

    /// Equal when name and zone are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKRecordID else { return false }
        return other.recordName == recordName && other.zoneID == zoneID
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        RecordID(self).hashValue
    }

    /// Name and zone, for people.
    open override var description: String {
        "<CKRecordID: recordName=\(recordName), zoneID=\(zoneID.zoneName):\(zoneID.ownerName)>"
    }

    /// IDs do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes name and zone under a key of this class, so that callers may add keys of their own.
    open func encode(with coder: NSCoder) {
        Archive.write(RecordID(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKRecordID"
}
