/// Where a container's data lives. The raw value is the term of the protocol.
package enum CloudEnvironment: String, Hashable, Sendable, CaseIterable {
    /// Types and fields come into being when first saved.
    case development
    /// The schema is fixed until it is deployed.
    case production
}
