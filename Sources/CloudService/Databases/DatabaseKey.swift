package import Records

/// One database of one container: a file of its own, so that no code path leads from one into another (law
/// 12).
package struct DatabaseKey: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    /// The record name of the person whose private database it is; nil for the public one.
    package var owner: String?

    package init(container: String, environment: CloudEnvironment, owner: String?) {
        self.container = container
        self.environment = environment
        self.owner = owner
    }

    /// The key as one text, for tickets.
    package var text: String { "\(container)/\(environment.rawValue)/\(owner ?? "")" }

    /// Reads what `text` wrote.
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
