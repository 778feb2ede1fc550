// Owns how schemas lie in the directory.

import GRDB
import RecordStore
package import Records

extension SQLiteDirectory {
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await read { database in
            var schema = Schema()
            let types = try String.fetchAll(
                database, sql: "SELECT type FROM schema_type WHERE container = ? AND environment = ?",
                arguments: [container, environment.rawValue]
            )
            for type in types { schema.types[type] = TypeSchema(name: type, systemIndexes: [:]) }
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT type, field, kind, is_encrypted, indexes
                    FROM schema_field
                    WHERE container = ? AND environment = ?
                    """,
                arguments: [container, environment.rawValue]
            )
            for row in rows { Self.add(row, to: &schema) }
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
            schema.types[type]?.fields[name] = FieldSchema(
                type: fieldType, isEncrypted: row[3], indexes: indexes)
        }
    }

    package func save(
        _ types: [TypeSchema], of container: String, in environment: CloudEnvironment
    ) async throws {
        try await write { database in
            for type in types {
                try database.execute(
                    sql: "INSERT OR IGNORE INTO schema_type (container, environment, type) VALUES (?, ?, ?)",
                    arguments: [container, environment.rawValue, type.name]
                )
                try database.execute(
                    sql: "DELETE FROM schema_field WHERE container = ? AND environment = ? AND type = ?",
                    arguments: [container, environment.rawValue, type.name]
                )
                for (system, indexes) in type.systemIndexes {
                    let kind = FieldType.scalar(system.type).kind
                    try Self.insert(
                        system.rawValue, kind, false, indexes, type, container, environment, database)
                }
                for (name, field) in type.fields {
                    let kind = field.type.kind
                    try Self.insert(
                        name, kind, field.isEncrypted, field.indexes, type, container, environment, database
                    )
                }
            }
        }
    }

    private static func insert(
        _ field: String, _ kind: Int64, _ isEncrypted: Bool, _ indexes: IndexSet, _ type: TypeSchema,
        _ container: String, _ environment: CloudEnvironment, _ database: Database
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO schema_field (container, environment, type, field, kind, is_encrypted, indexes)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                container, environment.rawValue, type.name, field, kind, isEncrypted, indexes.rawValue,
            ]
        )
    }
}
