import Records

extension Clown {
    static let recordType = "Clown"

    /// The fields of a clown's record.
    enum Key {
        static let name = "name"
        static let act = "act"
        static let party = "party"
    }

    /// Reads a clown; throws when the record has no name or belongs to no party.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            act: record[field: Key.act],
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the clown into a record, with a back reference that deletes the clown together with its party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.act] = act
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
    }
}
