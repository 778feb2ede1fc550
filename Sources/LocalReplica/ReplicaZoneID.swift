import Records

extension ZoneID {
    /// The owner as a column of the replica: empty for the zones of the person to whom the data belongs.
    var storedOwner: String { owner ?? "" }

    /// Creates the ID from the columns of a zone.
    init(name: String, storedOwner: String) {
        self.init(name: name, owner: storedOwner.isEmpty ? nil : storedOwner)
    }
}
