import GRDB
import RecordStore
package import Records

extension SQLiteDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await read { database in
            let place: StatementArguments = [container, environment.rawValue]
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
            try Self.addRoles(to: &schema, place, database)
            return schema
        }
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

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws {
        try await write { database in
            for type in types { try Self.save(type, [container, environment.rawValue, type.name], database) }
        }
    }

    package func replaceSchema(
        of container: String, in environment: CloudEnvironment, with schema: Schema
    ) async throws {
        try await write { database in
            let place: StatementArguments = [container, environment.rawValue]
            for table in ["schema_grant", "schema_field", "schema_type"] {
                try database.execute(
                    sql: "DELETE FROM \(table) WHERE container = ? AND environment = ?", arguments: place
                )
            }
            for type in schema.types.values { try Self.save(type, place + [type.name], database) }
            try Self.setRoles(schema.roles, place, database)
        }
    }

    /// Writes a type; `key` is its container, environment and name.
    private static func save(
        _ type: TypeSchema, _ key: StatementArguments, _ database: Database
    ) throws {
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
            try insert(field, key + [system.rawValue], database)
        }
        for (name, field) in type.fields { try insert(field, key + [name], database) }
        try saveGrants(of: type, key, database)
    }

    private static func insert(
        _ field: FieldSchema, _ key: StatementArguments, _ database: Database
    ) throws {
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
}
