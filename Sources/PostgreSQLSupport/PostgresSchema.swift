/// A schema of a database, whose tables are apart from those of other schemas.
package struct PostgresSchema: Sendable {
    private let name: String
    private let database: String

    /// - Parameters:
    ///   - name: lower-case letters, digits and underscores.
    ///   - database: the address of the database, without `options`.
    package init(_ name: String, in database: String) {
        self.name = name
        self.database = database
    }

    /// The address with which connections use the schema.
    package var address: String {
        guard database.hasPrefix("postgresql://") || database.hasPrefix("postgres://") else {
            return "\(database) options='-c search_path=\(name)'"
        }
        return "\(database)\(database.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
    }

    /// Creates the schema if it is missing.
    package func add() throws {
        try PostgresConnection(database).execute("CREATE SCHEMA IF NOT EXISTS \(name)")
    }

    /// Deletes the schema with all its tables.
    package func drop() throws {
        try PostgresConnection(database).execute("DROP SCHEMA IF EXISTS \(name) CASCADE")
    }
}
