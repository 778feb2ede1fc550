package import Records

/// Selects databases of a container: all, or those of one environment or one person.
package struct DatabaseSelection: Hashable, Sendable {
    package var container: String
    /// nil selects both environments.
    package var environment: CloudEnvironment?
    /// The person whose private databases are selected; nil selects those of everybody, and the public ones.
    package var owner: String?

    package init(container: String, environment: CloudEnvironment? = nil, owner: String? = nil) {
        self.container = container
        self.environment = environment
        self.owner = owner
    }

    package func contains(_ key: DatabaseKey) -> Bool {
        key.container == container && (environment ?? key.environment) == key.environment
            && (owner == nil || owner == key.owner)
    }
}

/// The disk usage of databases, including their asset files.
package struct DatabaseUsage: Hashable, Sendable {
    /// Number of private databases; each belongs to one person.
    package var privateDatabases = 0
    /// Number of asset files; each content is stored once per database.
    package var assetFiles = 0
    package var bytes: Int64 = 0

    package init() {}
}
