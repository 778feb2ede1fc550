/// One of a container's two environments, each with its own data and schema. The raw value is the protocol's
/// term.
package enum CloudEnvironment: String, Hashable, Sendable, CaseIterable {
    /// Saving a record adds missing types and fields to the schema.
    case development
    /// The schema changes only by deployment.
    case production
}
