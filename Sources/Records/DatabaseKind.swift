/// Which database of a container is meant. The raw value is the protocol's term.
package enum DatabaseKind: String, Hashable, Sendable, CaseIterable {
    /// Shared by everybody who uses the app.
    case `public`
    /// One person's own.
    case `private`
    /// What other people share with one person.
    case shared
}
