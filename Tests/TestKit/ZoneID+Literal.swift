public import Records

/// A literal is the name of a zone of the person.
extension ZoneID: ExpressibleByStringLiteral {
    /// Creates the zone of this name.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }
}
