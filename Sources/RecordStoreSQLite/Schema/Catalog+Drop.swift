import GRDB
import Records

extension Catalog {
    /// Drops those indexes of a field that a schema does not have. If it keeps none, or has another type,
    /// drops its column too. The values remain in the records' stored bytes.
    static func drop(
        _ position: Int, of type: inout TypeTable, notIn schema: FieldSchema?, in database: Database,
        _ refill: inout Refill
    ) throws {
        if let schema, type.fields[position].keepsColumn(for: schema) {
            try dropSome(position, of: &type, keeping: schema.indexes, in: database, &refill)
        } else {
            try dropAll(position, of: &type, in: database, &refill)
        }
    }

    private static func dropSome(
        _ position: Int, of type: inout TypeTable, keeping kept: IndexSet, in database: Database,
        _ refill: inout Refill
    ) throws {
        let before = type.fields[position]
        type.fields[position].indexes.formIntersection(kept)
        let field = type.fields[position]
        type.compose()
        try database.execute(
            sql: "UPDATE record_field SET indexes = ? WHERE id = ?",
            arguments: [field.indexes.rawValue, field.id])
        // Queries and sorts use the same index, as they use the same tables of lists and locations.
        if field.indexes.isDisjoint(with: [.queryable, .sortable]), !field.isLocation, !field.type.isList {
            try database.execute(sql: "DROP INDEX IF EXISTS \(type.table)_\(field.column)")
        }
        if before.isSearchable, !field.isSearchable { try dropWords(of: type, in: database, &refill) }
    }

    private static func dropAll(
        _ position: Int, of type: inout TypeTable, in database: Database, _ refill: inout Refill
    ) throws {
        let field = type.fields.remove(at: position)
        type.plainFields.insert(field.name)
        type.compose()
        try database.execute(
            sql: "UPDATE record_field SET indexes = 0 WHERE id = ?", arguments: [field.id])
        try database.execute(sql: "DROP INDEX IF EXISTS \(type.table)_\(field.column)")
        try database.execute(sql: "DROP TABLE IF EXISTS \(field.elementTable)")
        try database.execute(sql: "DROP TABLE IF EXISTS \(field.placeTable)")
        for column in field.columns {
            try database.execute(sql: "ALTER TABLE \(type.table) DROP COLUMN \(column)")
        }
        if field.isSearchable { try dropWords(of: type, in: database, &refill) }
    }

    /// Removes the words of a field that is no longer searchable.
    private static func dropWords(
        of type: TypeTable, in database: Database, _ refill: inout Refill
    ) throws {
        if type.hasWords {
            refill.hasWords = true
        } else {
            try database.execute(sql: "DROP TABLE IF EXISTS \(type.wordTable)")
        }
    }
}
