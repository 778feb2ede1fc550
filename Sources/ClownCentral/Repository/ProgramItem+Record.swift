import Cloudlet
import Foundation

extension ProgramItem {
    static let recordType = "ProgramItem"

    /// The fields of a line's record.
    enum Key {
        static let title = "title"
        static let parent = "parent"
    }

    /// A new record, with a back reference that deletes the line together with the one above it.
    var record: CKRecord {
        let record = CKRecord(recordType: Self.recordType, recordID: CKRecord.ID(recordName: id))
        record[Key.title] = title
        record[Key.parent] = parentID.map {
            CKRecord.Reference(recordID: CKRecord.ID(recordName: $0), action: .deleteSelf)
        }
        return record
    }
}
