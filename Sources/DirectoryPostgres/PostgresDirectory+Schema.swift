package import Directory
package import Records

extension PostgresDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await read {
            try PostgresSchemaTable(connection: $0, container: container, environment: environment).schema()
        }
    }

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment, ifStill known: Schema?
    ) async throws -> Bool {
        try await write(telling: { $0 ? [.schema(container)] : [] }) { connection in
            let schemas = PostgresSchemaTable(
                connection: connection, container: container, environment: environment)
            guard try schemas.isStill(known) else { return false }
            for type in types { try schemas.save(type) }
            return true
        }
    }

    package func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema, ifStill known: Schema?
    ) async throws -> Bool {
        try await write(telling: { $0 ? [.schema(container)] : [] }) { connection in
            let schemas = PostgresSchemaTable(
                connection: connection, container: container, environment: environment)
            guard try schemas.isStill(known) else { return false }
            try schemas.replace(with: schema)
            return true
        }
    }

    package func roleMembers(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [RoleMember] {
        try await read {
            try PostgresRoleTable(connection: $0, container: container, environment: environment).members()
        }
    }

    package func addRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write(telling: { _ in [.schema(container)] }) {
            try PostgresRoleTable(connection: $0, container: container, environment: environment).add(member)
        }
    }

    package func removeRoleMember(
        _ member: RoleMember, of container: String, in environment: CloudEnvironment
    ) async throws -> Bool {
        try await write(telling: { _ in [.schema(container)] }) {
            try PostgresRoleTable(connection: $0, container: container, environment: environment)
                .remove(member)
        }
    }
}
