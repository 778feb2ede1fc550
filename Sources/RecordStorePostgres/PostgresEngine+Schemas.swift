import PostgreSQLSupport

extension PostgresEngine {
    /// Creates a schema in a database, with tables of its own.
    ///
    /// - Parameter name: lower-case letters, digits and underscores.
    /// - Returns: The address with which an engine uses the schema.
    package static func addSchema(_ name: String, at address: String) throws -> String {
        try PostgresConnection(address).execute("CREATE SCHEMA \(name)")
        return self.address(ofSchema: name, at: address)
    }

    /// The address with which an engine uses a schema of a database.
    package static func address(ofSchema name: String, at address: String) -> String {
        guard address.hasPrefix("postgresql://") || address.hasPrefix("postgres://") else {
            return "\(address) options='-c search_path=\(name)'"
        }
        return "\(address)\(address.contains("?") ? "&" : "?")options=-csearch_path%3D\(name)"
    }

    /// Deletes a schema with all its tables.
    package static func dropSchema(_ name: String, at address: String) throws {
        try PostgresConnection(address).execute("DROP SCHEMA IF EXISTS \(name) CASCADE")
    }
}
