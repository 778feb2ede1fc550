/// One of the three databases of a container. The raw value is the protocol's term.
package enum DatabaseKind: String, Hashable, Sendable, CaseIterable {
    /// The database that all users of the app share.
    case `public`
    /// The database of one person.
    case `private`
    /// The records that other people share with one person.
    case shared
}
