import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the schema of one container in one environment.
struct PostgresSchemaTable {
    let connection: PostgresConnection
    let container: String
    let environment: CloudEnvironment

    private var place: [PostgresValue] { [.text(container), .text(environment.rawValue)] }

    private var roles: PostgresRoleTable {
        PostgresRoleTable(connection: connection, container: container, environment: environment)
    }

    func schema() throws -> Schema {
        var schema = Schema()
        let types = try connection.run(
            "SELECT type FROM schema_type WHERE container = $1 AND environment = $2", place)
        for row in types {
            let type = row.text(0)
            schema.types[type] = TypeSchema(name: type, systemIndexes: [:], grants: Grants())
        }
        let fields = try connection.run(
            """
            SELECT type, field, kind, is_encrypted, indexes, number
            FROM schema_field
            WHERE container = $1 AND environment = $2
            """,
            place)
        for row in fields { Self.add(row, to: &schema) }
        try addGrants(to: &schema)
        schema.roles = try roles.names()
        return schema
    }

    private static func add(_ row: PostgresRow, to schema: inout Schema) {
        let (type, name) = (row.text(0), row.text(1))
        let indexes = IndexSet(rawValue: UInt8(truncatingIfNeeded: row.integer(4)))
        if let system = SystemField(rawValue: name) {
            schema.types[type]?.systemIndexes[system] = indexes
        } else if let fieldType = FieldType(kind: row.integer(2)) {
            let number = row.optionalInteger(5).map { UInt8(truncatingIfNeeded: $0) }
            schema.types[type]?.fields[name] = FieldSchema(
                type: fieldType, isEncrypted: row.integer(3) == 1, indexes: indexes,
                number: number.flatMap(NumberNotation.init))
        }
    }

    private func addGrants(to schema: inout Schema) throws {
        let rows = try connection.run(
            "SELECT type, role, permissions FROM schema_grant WHERE container = $1 AND environment = $2",
            place)
        for row in rows {
            let bits = row.integer(2)
            let permissions = Permission.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }
            schema.types[row.text(0)]?.grants[Role(name: row.text(1))] = Set(permissions.map(\.element))
        }
    }

    /// Whether the schema is the one that the caller knows; nil: any.
    func isStill(_ known: Schema?) throws -> Bool {
        guard let known else { return true }
        return try schema().complete == known.complete
    }

    // MARK: Writing

    func replace(with schema: Schema) throws {
        for table in ["schema_grant", "schema_field", "schema_type"] {
            try connection.send("DELETE FROM \(table) WHERE container = $1 AND environment = $2", place)
        }
        for type in schema.types.values { try save(type) }
        try roles.set(schema.roles)
    }

    func save(_ type: TypeSchema) throws {
        let key = place + [.text(type.name)]
        try connection.send(
            """
            INSERT INTO schema_type (container, environment, type)
            VALUES ($1, $2, $3)
            ON CONFLICT DO NOTHING
            """,
            key)
        for table in ["schema_field", "schema_grant"] {
            try connection.send(
                "DELETE FROM \(table) WHERE container = $1 AND environment = $2 AND type = $3", key)
        }
        for (system, indexes) in type.systemIndexes {
            let field = FieldSchema(type: .scalar(system.type), indexes: indexes)
            try insert(field, key + [.text(system.rawValue)])
        }
        for (name, field) in type.fields { try insert(field, key + [.text(name)]) }
        for (role, permissions) in type.grants.permissions {
            var bits: Int64 = 0
            for (place, permission) in Permission.allCases.enumerated() where permissions.contains(permission)
            {
                bits |= 1 << place
            }
            try connection.send(
                """
                INSERT INTO schema_grant (container, environment, type, role, permissions)
                VALUES ($1, $2, $3, $4, $5)
                """,
                key + [.text(role.name), .integer(bits)])
        }
    }

    private func insert(_ field: FieldSchema, _ key: [PostgresValue]) throws {
        try connection.send(
            """
            INSERT INTO schema_field
                (container, environment, type, field, kind, is_encrypted, indexes, number)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            key + [
                .integer(field.type.kind), .count(field.isEncrypted ? 1 : 0),
                .integer(Int64(field.indexes.rawValue)), .optional(field.number.map { Int64($0.rawValue) }),
            ])
    }
}
