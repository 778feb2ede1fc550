public import Foundation
internal import Records

/// A reference from a record to another record, which need not exist. References are compared by target and
/// action.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckrecord/reference>.
// Sendable because both properties are immutable.
open class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The name of this type before Swift 4.2.
    public typealias Action = CKRecord.ReferenceAction

    private let target: CKRecordID
    private let deletion: CKRecord.ReferenceAction

    /// Creates a reference to the record with this ID. With `.deleteSelf`, deleting the target deletes the
    /// record with the reference too.
    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        target = recordID
        deletion = action
    }

    /// Creates a reference to this record.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    /// Decodes an archive that `encode(with:)` or the CloudKit framework wrote; returns nil for any other
    /// data.
    public required init?(coder: NSCoder) {
        if let reference = Archive.read(Reference.self, as: Self.archiveKey, from: coder) {
            target = CKRecordID(reference.target(from: .default))
            deletion = reference.action == .deleteSelf ? .deleteSelf : .none
        } else if let recordID = FrameworkArchive.object(CKRecordID.self, "recordID", from: coder) {
            target = recordID
            deletion = coder.decodeInt64(forKey: "referenceAction") == 1 ? .deleteSelf : .none
        } else {
            return nil
        }
    }

    /// The effect on the record with this reference when the target is deleted.
    open var action: CKRecord.ReferenceAction { deletion }

    /// The ID of the target.
    open var recordID: CKRecord.ID { target }

    /// Equal if both targets and actions are equal.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return other.recordID == recordID && other.action == action
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        Reference(self).hashValue
    }

    /// The target and the action, for logs.
    open override var description: String {
        let ending = action == .none ? "" : ", deleteSelf"
        return "<CKReference: \(recordID.recordName) in \(recordID.zoneID.zoneName)\(ending)>"
    }

    /// Returns the same object, because a reference is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the target and the action under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(Reference(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKReference"
}
