import Records

extension Attendee {
    static let recordType = "Attendee"

    enum Key {
        static let name = "name"
        static let party = "party"
    }

    /// Reads an attendee from a record. Throws if the record has no name or no party.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the attendee into a record. The reference to the party deletes the attendee together with the
    /// party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
    }
}
