import Records

extension Clown {
    static let recordType = "Clown"

    enum Key {
        static let name = "name"
        static let act = "act"
        static let party = "party"
    }

    /// Reads a clown from a record. Throws if the record has no name or no party.
    init(_ record: some ModelRecord) throws {
        self.init(
            id: record.recordName,
            name: try record.value(Key.name),
            act: record[field: Key.act],
            partyID: try record.target(Key.party)
        )
    }

    /// Writes the clown into a record. The reference to the party deletes the clown together with the party.
    func write(to record: inout some ModelRecord) {
        record[field: Key.name] = name
        record[field: Key.act] = act
        record[field: Key.party] = Reference(recordName: partyID, action: .deleteSelf)
    }
}
