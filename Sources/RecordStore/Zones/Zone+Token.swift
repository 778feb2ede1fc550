package import Records

extension Zone {
    /// A zone of a database, with its token.
    ///
    /// - Parameters:
    ///   - id: the zone's number in its database.
    ///   - sequence: the number of its last change.
    ///   - identity: that of the database.
    package init(named name: String, id: Int64, sequence: Int64, identity: Int64) {
        let position = FeedPosition(database: identity, zone: id, sequence: sequence)
        let isDefault = name == ZoneID.defaultName
        self.init(id: ZoneID(name: name), isAtomic: !isDefault, syncToken: isDefault ? nil : position.token)
    }
}
