/// A container with the warnings about its name.
package struct ContainerReport: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp
    /// What is unwise about its name.
    package var warnings: [String]

    package init(name: String, createdAt: Timestamp, warnings: [String]) {
        self.name = name
        self.createdAt = createdAt
        self.warnings = warnings
    }
}
