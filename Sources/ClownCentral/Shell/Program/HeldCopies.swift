import Cloudlet
import CloudletShell
import Foundation

/// Records by the person and the device that fetched them, and the place that they are of.
struct HeldCopies {
    private struct Key: Hashable {
        let person: String?
        let device: String
        let placeNumber: Int
        let recordName: String

        init(_ recordName: String, _ now: CloudSession.Whereabouts) {
            (person, device, placeNumber) = (now.person, now.device, now.placeNumber)
            self.recordName = recordName
        }
    }

    private var records: [Key: CKRecord] = [:]

    /// The version that this person's device saw last; a copy, so that a save that fails leaves it as it is.
    func copy(_ recordName: String, of now: CloudSession.Whereabouts) -> CKRecord? {
        records[Key(recordName, now)]?.copy() as? CKRecord
    }

    /// Keeps what a device has just seen.
    mutating func keep(_ record: CKRecord, of now: CloudSession.Whereabouts) {
        records[Key(record.recordID.recordName, now)] = record
    }
}
