import Cloudlet
import Foundation

extension ProgramItem {
    static let recordType = "ProgramItem"

    enum Key {
        static let title = "title"
        static let parent = "parent"
    }

    /// A new record for the item. The reference to the parent deletes the item together with the parent.
    var record: CKRecord {
        let record = CKRecord(recordType: Self.recordType, recordID: CKRecord.ID(recordName: id))
        record[Key.title] = title
        record[Key.parent] = parentID.map {
            CKRecord.Reference(recordID: CKRecord.ID(recordName: $0), action: .deleteSelf)
        }
        return record
    }
}
