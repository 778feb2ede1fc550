package struct ContainerReport: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp
    /// Warnings about the container's name.
    package var warnings: [String]

    package init(name: String, createdAt: Timestamp, warnings: [String]) {
        self.name = name
        self.createdAt = createdAt
        self.warnings = warnings
    }
}
