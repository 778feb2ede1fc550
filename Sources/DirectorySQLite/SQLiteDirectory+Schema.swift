package import Directory
package import Records

extension SQLiteDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await read {
            try SchemaTable(database: $0, container: container, environment: environment).schema()
        }
    }

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws {
        try await write { database in
            let schemas = SchemaTable(database: database, container: container, environment: environment)
            for type in types { try schemas.save(type) }
        }
    }

    package func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema
    ) async throws {
        try await write {
            try SchemaTable(database: $0, container: container, environment: environment)
                .replace(with: schema)
        }
    }

    package func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember] {
        try await read {
            try RoleTable(database: $0, container: container, environment: environment).members()
        }
    }

    package func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write {
            try RoleTable(database: $0, container: container, environment: environment).add(member)
        }
    }

    package func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write {
            try RoleTable(database: $0, container: container, environment: environment).remove(member)
        }
    }
}
