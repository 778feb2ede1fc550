// Owns the way between a clown and its record.
import Cloudlet
import Foundation

extension Clown {
    static let recordType = "Clown"

    /// The fields of a clown's record.
    enum Key {
        static let name = "name"
        static let act = "act"
        static let party = "party"
    }

    /// Reads a clown; throws when the record has no name or belongs to no party.
    init(_ record: CKRecord) throws {
        self.init(
            id: record.recordID.recordName,
            name: try record.text(Key.name),
            act: record[Key.act] as? String,
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the clown into a record, with a back reference that deletes the clown together with its party.
    func write(to record: CKRecord) {
        record[Key.name] = name
        record[Key.act] = act
        record[Key.party] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: partyID), action: .deleteSelf)
    }
}
