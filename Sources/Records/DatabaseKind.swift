// Owns the three databases of a container.

/// Which database of a container is meant (web services sheet 1.1). The raw value is the protocol's term.
package enum DatabaseKind: String, Hashable, Sendable, CaseIterable {
    /// Shared by everybody who uses the app.
    case `public`
    /// One person's own.
    case `private`
    /// What other people share with one person.
    case shared
}
