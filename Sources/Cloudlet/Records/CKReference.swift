public import Foundation
internal import Records

/// A pointer from the record that holds it to another record, which may not exist (API sheet 3; talk 1,
/// "References"). Compared by target and action.
// Sendable because both properties are constant.
open class CKReference: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The name this type had before Swift 4.2.
    public typealias Action = CKRecord.ReferenceAction

    private let target: CKRecordID
    private let deletion: CKRecord.ReferenceAction

    /// A reference to the record with that ID; with `.deleteSelf`, deleting it deletes the holder too.
    public init(recordID: CKRecord.ID, action: CKRecord.ReferenceAction) {
        target = recordID
        deletion = action
    }

    /// A reference to that record.
    public convenience init(record: CKRecord, action: CKRecord.ReferenceAction) {
        self.init(recordID: record.recordID, action: action)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let reference = Archive.read(Reference.self, as: Self.archiveKey, from: coder) else {
            return nil
        }
        target = CKRecordID(reference.target(from: .default))
        deletion = reference.action == .deleteSelf ? .deleteSelf : .none
    }

    /// What happens to the holder when the target is deleted.
    open var action: CKRecord.ReferenceAction { deletion }

    /// The target.
    open var recordID: CKRecord.ID { target }

    /// Equal when target and action are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? CKReference else { return false }
        return other.recordID == recordID && other.action == action
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int {
        Reference(self).hashValue
    }

    /// Target and action, for people.
    open override var description: String {
        let ending = action == .none ? "" : ", deleteSelf"
        return "<CKReference: \(recordID.recordName) in \(recordID.zoneID.zoneName)\(ending)>"
    }

    /// References do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes target and action under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(Reference(self), as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKReference"
}
