/// The container, environment, database and operation that counts belong to.
package struct TelemetryKey: Hashable, Sendable {
    /// The container; nil for calls that name none, such as those of the operator.
    package var container: String?
    package var environment: CloudEnvironment?
    /// The database; nil for calls that concern a device, a session or the server.
    package var database: DatabaseKind?
    /// The operation, such as `records/query`.
    package var operation: String

    package init(
        container: String?, environment: CloudEnvironment?, database: DatabaseKind?, operation: String
    ) {
        self.container = container
        self.environment = environment
        self.database = database
        self.operation = operation
    }

    /// The name under which containers that do not exist, and operations beyond the limit on keys, are
    /// counted together. No container and no operation has this name.
    package static let otherName = "(other)"

    /// The key for calls beyond the limit on keys (`Limits.telemetryKeys`).
    package static let other = TelemetryKey(
        container: otherName, environment: nil, database: nil, operation: otherName)

    /// The operation under which pushes are counted.
    package static let pushOperation = "push"
}
