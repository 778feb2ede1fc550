import Records

extension Attendee {
    static let recordType = "Attendee"

    /// The fields of an attendee's record.
    enum Key {
        static let name = "name"
        static let party = "party"
    }

    /// Reads an attendee; throws when the record has no name or belongs to no party.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the attendee into a record, with a back reference to the party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
    }
}
