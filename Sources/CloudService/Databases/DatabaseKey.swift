package import Records

/// Identifies one database of one container. Stores keep databases apart: SQLite has a file for each one, and
/// PostgreSQL hides the rows of all other databases from a transaction.
package struct DatabaseKey: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    /// The record name of the person who owns the private database; nil for the public database.
    package var owner: String?

    package init(container: String, environment: CloudEnvironment, owner: String?) {
        self.container = container
        self.environment = environment
        self.owner = owner
    }

    /// The key as text, for tickets, log lines and stores.
    package var text: String { "\(container)/\(environment.rawValue)/\(owner ?? "")" }

    /// Parses the format of `text`.
    package init?(text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, let environment = CloudEnvironment(rawValue: String(parts[1])) else {
            return nil
        }
        self.init(
            container: String(parts[0]), environment: environment,
            owner: parts[2].isEmpty ? nil : String(parts[2])
        )
    }
}
