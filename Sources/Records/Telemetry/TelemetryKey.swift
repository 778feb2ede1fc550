/// What counts belong to.
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

    /// Stands for containers that do not exist, and for an operation where there are too many keys. No
    /// container and no operation has this name.
    package static let otherName = "(other)"

    /// The key of what has no room under keys of its own.
    package static let other = TelemetryKey(
        container: otherName, environment: nil, database: nil, operation: otherName)

    /// The operation under which pushes are counted.
    package static let pushOperation = "push"
}
