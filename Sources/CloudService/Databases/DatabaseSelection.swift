package import Records

/// Databases of a container: all, or those of one environment, or those of one person.
package struct DatabaseSelection: Hashable, Sendable {
    package var container: String
    /// nil: both.
    package var environment: CloudEnvironment?
    /// The person whose private databases are meant; nil: everybody's, and the public ones.
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

/// What databases take up on disk, their files included.
package struct DatabaseUsage: Hashable, Sendable {
    /// Private databases; each belongs to one person.
    package var privateDatabases = 0
    /// Files of records, each content once a database.
    package var assetFiles = 0
    package var bytes: Int64 = 0

    package init() {}
}
