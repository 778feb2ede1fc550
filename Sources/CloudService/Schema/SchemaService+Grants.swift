import RecordStore
package import Records

extension SchemaService {
    /// Creates a role in development. Throws `badRequest` for an invalid name, and `exists` for one that is
    /// in use.
    package func createRole(_ name: String, in container: String) async throws -> SchemaComparison {
        try NameRules.checkRoleName(name)
        return try await changeDevelopment(of: container) { schema in
            guard schema.roles.insert(name).inserted else {
                throw RecordError(
                    .exists, "the role exists already", culprit: name,
                    nextStep: "make people its members: cloudlet role grant \(container) \(name) PERSON"
                )
            }
        }
    }

    /// Grants a role a permission on a record type in development, or revokes it.
    ///
    /// Throws `notFound` for a type or role that does not exist.
    package func setGrant(
        _ permission: Permission, on typeName: String, to roleName: String, in container: String,
        isThere: Bool
    ) async throws -> SchemaComparison {
        try await changeDevelopment(of: container) { schema in
            let role = Role(name: roleName)
            guard role.isSystem || schema.roles.contains(roleName) else { throw RecordError.noRole(roleName) }
            guard schema.types[typeName] != nil else {
                throw RecordError(
                    .notFound, "Did not find record type: \(typeName)", culprit: typeName,
                    nextStep: "check the spelling: cloudlet schema export \(container)"
                )
            }
            if isThere {
                schema.types[typeName]?.grants[role].insert(permission)
            } else {
                schema.types[typeName]?.grants[role].remove(permission)
            }
        }
    }

    /// Changes the schema of development.
    func changeDevelopment(
        of container: String, _ change: @Sendable (inout Schema) throws -> Void
    ) async throws -> SchemaComparison {
        try await changeSchema(of: container, in: .development) { development in
            var schema = development
            try change(&schema)
            return schema
        }
    }
}
