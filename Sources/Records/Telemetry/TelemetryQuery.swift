/// A request for counts.
package struct TelemetryQuery: Hashable, Sendable {
    /// The databases whose calls are counted.
    package enum Scope: String, Hashable, Sendable, CaseIterable {
        /// Every call, also those that concern no database.
        case all
        case `public`
        /// All private databases together. There are no counts of a single person's database.
        case `private`
        case shared

        /// The database; nil for all.
        package var database: DatabaseKind? { DatabaseKind(rawValue: rawValue) }
    }

    /// The container; nil for all containers and for calls that name none.
    package var container: String?
    /// The environment; nil for both.
    package var environment: CloudEnvironment?
    package var scope: Scope
    /// The operation, such as `records/query`; nil for all.
    package var operation: String?
    package var period: TelemetryPeriod

    package init(
        container: String? = nil, environment: CloudEnvironment? = nil, scope: Scope = .all,
        operation: String? = nil, period: TelemetryPeriod = .hour
    ) {
        self.container = container
        self.environment = environment
        self.scope = scope
        self.operation = operation
        self.period = period
    }
}
