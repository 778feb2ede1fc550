package import Directory
package import Records

extension SQLiteDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await read {
            try SchemaTable(database: $0, container: container, environment: environment).schema()
        }
    }

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment, ifStill known: Schema?
    ) async throws -> Bool {
        try await write { database in
            let schemas = SchemaTable(database: database, container: container, environment: environment)
            guard try schemas.isStill(known) else { return false }
            for type in types { try schemas.save(type) }
            return true
        }
    }

    package func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema, ifStill known: Schema?
    ) async throws -> Bool {
        try await write { database in
            let schemas = SchemaTable(database: database, container: container, environment: environment)
            guard try schemas.isStill(known) else { return false }
            try schemas.replace(with: schema)
            return true
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
