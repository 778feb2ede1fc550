import Cloudlet
import CloudletShell
import Foundation

/// The last version of each record that a person's device fetched or saved, by person, device and place.
struct FetchedRecords {
    private struct Key: Hashable {
        let person: String?
        let device: String
        let placeNumber: Int
        let recordName: String

        init(_ recordName: String, _ context: CloudSession.Context) {
            (person, device, placeNumber) = (context.person, context.device, context.placeNumber)
            self.recordName = recordName
        }
    }

    private var records: [Key: CKRecord] = [:]

    /// The version that this person's device saw last. It is a copy, so that a failed save does not change
    /// the stored version.
    func copy(_ recordName: String, of context: CloudSession.Context) -> CKRecord? {
        records[Key(recordName, context)]?.copy() as? CKRecord
    }

    /// Stores the version that a device has just fetched or saved.
    mutating func store(_ record: CKRecord, of context: CloudSession.Context) {
        records[Key(record.recordID.recordName, context)] = record
    }
}
