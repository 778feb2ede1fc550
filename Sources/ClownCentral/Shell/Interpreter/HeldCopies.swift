// Owns the records that each device holds, as it saw them last: what makes a version old.
import Cloudlet
import Foundation

/// Records by the person and the device that fetched them.
struct HeldCopies {
    private struct Key: Hashable {
        let person: String?
        let device: String
        let recordName: String
    }

    private var records: [Key: CKRecord] = [:]

    /// The version that this person's device saw last; a copy, so that a save that fails leaves it as it is.
    func copy(_ recordName: String, person: String?, device: String) -> CKRecord? {
        records[Key(person: person, device: device, recordName: recordName)]?.copy() as? CKRecord
    }

    /// Keeps what a device has just seen.
    mutating func keep(_ record: CKRecord, person: String?, device: String) {
        records[Key(person: person, device: device, recordName: record.recordID.recordName)] = record
    }
}
