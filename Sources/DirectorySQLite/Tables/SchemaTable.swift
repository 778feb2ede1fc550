import Directory
import GRDB
import Records
import SQLiteSupport

/// Reads and writes the schema of one container in one environment.
struct SchemaTable {
    let database: Database
    let container: String
    let environment: CloudEnvironment

    private var place: StatementArguments { [container, environment.rawValue] }

    private var roles: RoleTable {
        RoleTable(database: database, container: container, environment: environment)
    }

    func schema() throws -> Schema {
        var schema = Schema()
        let types = try String.fetchAll(
            database, sql: "SELECT type FROM schema_type WHERE container = ? AND environment = ?",
            arguments: place
        )
        for type in types {
            schema.types[type] = TypeSchema(name: type, systemIndexes: [:], grants: Grants())
        }
        let fields = try Row.fetchAll(
            database,
            sql: """
                SELECT type, field, kind, is_encrypted, indexes, number
                FROM schema_field
                WHERE container = ? AND environment = ?
                """,
            arguments: place
        )
        for row in fields { Self.add(row, to: &schema) }
        try addGrants(to: &schema)
        schema.roles = try roles.names()
        return schema
    }

    private static func add(_ row: Row, to schema: inout Schema) {
        let type: String = row[0]
        let name: String = row[1]
        let indexes = IndexSet(rawValue: row[4])
        if let system = SystemField(rawValue: name) {
            schema.types[type]?.systemIndexes[system] = indexes
        } else if let fieldType = FieldType(kind: row[2]) {
            let number: UInt8? = row[5]
            schema.types[type]?.fields[name] = FieldSchema(
                type: fieldType, isEncrypted: row[3], indexes: indexes,
                number: number.flatMap(NumberNotation.init)
            )
        }
    }

    private func addGrants(to schema: inout Schema) throws {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT type, role, permissions FROM schema_grant WHERE container = ? AND environment = ?",
            arguments: place
        )
        for row in rows {
            let bits: UInt8 = row[2]
            let permissions = Permission.allCases.enumerated().filter { bits & 1 << $0.offset != 0 }
            schema.types[row[0]]?.grants[Role(name: row[1])] = Set(permissions.map(\.element))
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
            try database.execute(
                sql: "DELETE FROM \(table) WHERE container = ? AND environment = ?", arguments: place
            )
        }
        for type in schema.types.values { try save(type) }
        try roles.set(schema.roles)
    }

    func save(_ type: TypeSchema) throws {
        let key = place + [type.name]
        try database.execute(
            sql: "INSERT OR IGNORE INTO schema_type (container, environment, type) VALUES (?, ?, ?)",
            arguments: key
        )
        try database.execute(
            sql: "DELETE FROM schema_field WHERE container = ? AND environment = ? AND type = ?",
            arguments: key
        )
        for (system, indexes) in type.systemIndexes {
            let field = FieldSchema(type: .scalar(system.type), indexes: indexes)
            try insert(field, key + [system.rawValue])
        }
        for (name, field) in type.fields { try insert(field, key + [name]) }
        try saveGrants(of: type, key)
    }

    private func insert(_ field: FieldSchema, _ key: StatementArguments) throws {
        try database.execute(
            sql: """
                INSERT INTO schema_field
                    (container, environment, type, field, kind, is_encrypted, indexes, number)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: key + [
                field.type.kind, field.isEncrypted, field.indexes.rawValue, field.number?.rawValue,
            ]
        )
    }

    private func saveGrants(of type: TypeSchema, _ key: StatementArguments) throws {
        try database.execute(
            sql: "DELETE FROM schema_grant WHERE container = ? AND environment = ? AND type = ?",
            arguments: key
        )
        for (role, permissions) in type.grants.permissions {
            var bits: UInt8 = 0
            for (place, permission) in Permission.allCases.enumerated() where permissions.contains(permission)
            {
                bits |= 1 << place
            }
            try database.execute(
                sql: """
                    INSERT INTO schema_grant (container, environment, type, role, permissions)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: key + [role.name, bits]
            )
        }
    }
}
