// Owns the way between an attendee and the record.
import Cloudlet
import Foundation

extension Attendee {
    static let recordType = "Attendee"

    /// The fields of an attendee's record.
    enum Key {
        static let name = "name"
        static let party = "party"
    }

    /// Reads an attendee; throws when the record has no name or belongs to no party.
    init(_ record: CKRecord) throws {
        self.init(
            id: record.recordID.recordName,
            name: try record.text(Key.name),
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the attendee into a record, with a back reference to the party.
    func write(to record: CKRecord) {
        record[Key.name] = name
        record[Key.party] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: partyID), action: .deleteSelf)
    }
}
