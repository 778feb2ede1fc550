public import Records

/// A string literal is the name of a zone of the current user.
extension ZoneID: ExpressibleByStringLiteral {
    /// Creates the zone of this name.
    public init(stringLiteral name: String) {
        self.init(name: name)
    }
}
