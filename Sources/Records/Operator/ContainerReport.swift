/// A container as the operator's calls list it.
package struct ContainerReport: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp
    /// Warnings about the container's name.
    package var warnings: [String]
    /// The URL of the app's web page, to which the pages of shares lead; nil: the server's, if it has one.
    package var fallbackURL: String?

    package init(name: String, createdAt: Timestamp, warnings: [String], fallbackURL: String? = nil) {
        self.name = name
        self.createdAt = createdAt
        self.warnings = warnings
        self.fallbackURL = fallbackURL
    }
}
