import PostgreSQLSupport
import RecordStore
import Records

extension PostgresCatalog {
    /// Adapts the entries of a type to its schema, and returns the type. The entries of a new index are made
    /// from the existing records.
    mutating func prepared(
        _ schema: TypeSchema, in session: PostgresSession, codec: any FieldCodec
    ) throws -> PostgresCatalogType {
        if let type = types[schema.name], type.applied == schema { return type }
        var type = try types[schema.name] ?? add(schema.name, in: session)
        var refill: [PostgresCatalogField] = []
        for (name, wanted) in schema.fields.sorted(by: { $0.key < $1.key }) {
            if let field = type.indexed(name), !field.serves(wanted) {
                try drop(field, of: &type, in: session)
            }
            if wanted.indexes.isEmpty || wanted.isEncrypted { continue }
            guard var field = type.fields[name] else {
                try add(name, wanted.type, wanted.indexes, to: &type, in: session)
                if let field = type.fields[name], field.isSortable {
                    try PostgresEntryWriter(session: session).noteAllLacking(field, of: type)
                }
                continue
            }
            if field.indexes.isSuperset(of: wanted.indexes), field.type == wanted.type { continue }
            try PostgresEntryWriter(session: session).deleteAll(of: field)
            field.type = wanted.type
            field.indexes.formUnion(wanted.indexes)
            try update(field, of: &type, in: session)
            refill.append(field)
        }
        type.applied = schema
        set(type)
        if !refill.isEmpty { try fill(refill, of: type, in: session, codec: codec) }
        return type
    }

    /// Adds to the catalog the fields that records now have without an index, and returns the changed type.
    mutating func noted(
        _ fields: Fields, of type: PostgresCatalogType, in session: PostgresSession
    ) throws -> PostgresCatalogType {
        var type = type
        for (name, field) in fields where type.fields[name] == nil {
            try add(name, field.value.type, [], to: &type, in: session)
        }
        set(type)
        return type
    }

    /// Drops the entries of a type for indexes that a schema does not have; all of them if `schema` is nil.
    mutating func dropIndexes(of name: String, notIn schema: TypeSchema?, in session: PostgresSession) throws
    {
        guard var type = types[name] else { return }
        for field in type.fields.values.sorted(by: { $0.id < $1.id }) where !field.indexes.isEmpty {
            if let wanted = schema?.fields[field.name], field.serves(wanted) { continue }
            try drop(field, of: &type, in: session)
        }
        type.applied = nil
        set(type)
    }

    private mutating func add(_ name: String, in session: PostgresSession) throws -> PostgresCatalogType {
        number += 1
        try session.run(
            "INSERT INTO record_type (database, id, name) VALUES ($1, $2, $3)", .integer(number), .text(name))
        return PostgresCatalogType(id: number, name: name)
    }

    private mutating func add(
        _ name: String, _ fieldType: FieldType, _ indexes: IndexSet, to type: inout PostgresCatalogType,
        in session: PostgresSession
    ) throws {
        number += 1
        let field = PostgresCatalogField(id: number, name: name, type: fieldType, indexes: indexes)
        try session.run(
            """
            INSERT INTO record_field (database, id, type, name, kind, indexes)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            .integer(field.id), .integer(type.id), .text(name), .integer(Int64(fieldType.kind)),
            .integer(Int64(indexes.rawValue)))
        type.fields[name] = field
    }

    private mutating func drop(
        _ field: PostgresCatalogField, of type: inout PostgresCatalogType, in session: PostgresSession
    ) throws {
        try PostgresEntryWriter(session: session).deleteAll(of: field)
        var field = field
        field.indexes = []
        try update(field, of: &type, in: session)
    }

    private mutating func update(
        _ field: PostgresCatalogField, of type: inout PostgresCatalogType, in session: PostgresSession
    ) throws {
        number += 1
        try session.run(
            "UPDATE record_field SET kind = $3, indexes = $4 WHERE database = $1 AND id = $2",
            .integer(field.id), .integer(Int64(field.type.kind)), .integer(Int64(field.indexes.rawValue)))
        type.fields[field.name] = field
    }

    /// Makes the entries of fields from the records of the type.
    private func fill(
        _ fields: [PostgresCatalogField], of type: PostgresCatalogType, in session: PostgresSession,
        codec: any FieldCodec
    ) throws {
        let writer = PostgresEntryWriter(session: session)
        var reached: Int64 = 0
        while true {
            let rows = try session.rows(
                """
                SELECT id, zone, head, fields
                FROM record
                WHERE database = $1 AND type = $2 AND id > $3 AND fields IS NOT NULL
                ORDER BY id
                LIMIT 100
                """,
                .integer(type.id), .integer(reached))
            for row in rows {
                reached = row.integer(0)
                let bytes = FieldBytes(bytes: row.bytes(3), assetSlots: RecordHead(row.memory(2)).slots)
                let entries = PostgresEntryRows(try codec.decode(bytes), fields)
                try writer.insert(entries, record: reached, zone: row.integer(1))
            }
            if rows.isEmpty { return }
        }
    }
}
