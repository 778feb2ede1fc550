// Owns how a file's tables follow the schema: a column and an index for each field that can be asked for.

import GRDB
import Records

extension Catalog {
    /// Brings the tables of a type in line with its schema and returns the type.
    ///
    /// A type or field that is new gets its table or column; an index that is new is filled from the records
    /// that exist.
    mutating func prepared(
        _ schema: TypeSchema, in database: Database, codec: any FieldCodec
    ) throws -> TypeTable {
        if let type = types[schema.name], type.applied == schema { return type }
        var type = try types[schema.name] ?? Self.create(schema, in: database)
        for (name, field) in schema.fields.sorted(by: { $0.key < $1.key }) {
            if field.indexes.isEmpty || field.isEncrypted { continue }
            if let known = type.field(named: name) {
                if known.indexes.isSuperset(of: field.indexes) { continue }
                try Self.extend(known, of: &type, to: known.indexes.union(field.indexes), in: database, codec)
            } else {
                try Self.add(name, field, to: &type, in: database)
            }
        }
        type.applied = schema
        set(type)
        return types[schema.name] ?? type
    }

    private static func create(_ schema: TypeSchema, in database: Database) throws -> TypeTable {
        try database.execute(sql: "INSERT INTO record_type (name) VALUES (?)", arguments: [schema.name])
        let type = TypeTable(id: database.lastInsertedRowID, name: schema.name)
        // Clustered by zone and creation, so that "all of a type, newest first" is a walk, not a sort.
        try database.execute(
            sql: """
                CREATE TABLE \(type.table) (
                    zone INTEGER NOT NULL,
                    record INTEGER NOT NULL,
                    sequence INTEGER NOT NULL,
                    created_by TEXT NOT NULL,
                    modified_by TEXT NOT NULL,
                    PRIMARY KEY (zone, record)
                ) WITHOUT ROWID, STRICT;
                """
        )
        if schema.systemIndexes[.modifiedTimestamp]?.isEmpty == false {
            try database.execute(
                sql: "CREATE INDEX \(type.table)_sequence ON \(type.table) (zone, sequence)"
            )
        }
        if schema.systemIndexes[.createdUserRecordName]?.isEmpty == false {
            try database.execute(
                sql: "CREATE INDEX \(type.table)_created_by ON \(type.table) (zone, created_by)"
            )
        }
        return type
    }

    private static func add(
        _ name: String, _ schema: FieldSchema, to type: inout TypeTable, in database: Database
    ) throws {
        try database.execute(
            sql: "INSERT INTO record_field (type, name, kind, indexes) VALUES (?, ?, ?, ?)",
            arguments: [type.id, name, schema.type.kind, schema.indexes.rawValue]
        )
        let field = IndexedField(
            id: database.lastInsertedRowID, name: name, type: schema.type, indexes: schema.indexes
        )
        for column in field.columns {
            try database.execute(sql: "ALTER TABLE \(type.table) ADD COLUMN \(column) \(field.columnType)")
        }
        try createIndexes(of: field, on: type, in: database)
        type.fields.append(field)
    }

    private static func createIndexes(
        of field: IndexedField, on type: TypeTable, in database: Database
    ) throws {
        if field.isLocation {
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE IF NOT EXISTS \(field.placeTable)
                    USING rtree (record, south, north, west, east)
                    """
            )
        } else if field.type.isList {
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \(field.elementTable) (
                        value ANY NOT NULL,
                        record INTEGER NOT NULL,
                        PRIMARY KEY (value, record)
                    ) WITHOUT ROWID, STRICT
                    """
            )
        } else if !field.indexes.isDisjoint(with: [.queryable, .sortable]) {
            try database.execute(
                sql: """
                    CREATE INDEX IF NOT EXISTS \(type.table)_\(field.column)
                    ON \(type.table) (zone, \(field.column))
                    """
            )
        }
        if field.isSearchable {
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE IF NOT EXISTS \(type.wordTable)
                    USING fts5 (words, detail = none, tokenize = 'unicode61')
                    """
            )
        }
    }

    /// Gives an existing field further indexes and fills them.
    private static func extend(
        _ field: IndexedField, of type: inout TypeTable, to indexes: IndexSet, in database: Database,
        _ codec: any FieldCodec
    ) throws {
        try database.execute(
            sql: "UPDATE record_field SET indexes = ? WHERE id = ?", arguments: [indexes.rawValue, field.id]
        )
        let hadWords = type.hasWords
        guard let position = type.fields.firstIndex(of: field) else { return }
        type.fields[position].indexes = indexes
        try createIndexes(of: type.fields[position], on: type, in: database)
        if type.hasWords, !hadWords || !field.isSearchable {
            try IndexWriter(database: database, type: type).refillWords(codec)
        }
    }
}

extension IndexedField {
    /// The storage class of the column; lists keep their number of elements.
    var columnType: String {
        switch type {
        case .list, .scalar(.int64), .scalar(.timestamp): "INTEGER"
        case .scalar(.double), .scalar(.location): "REAL"
        case .scalar(.string), .scalar(.reference): "TEXT"
        case .scalar(.bytes), .scalar(.asset): "BLOB"
        }
    }
}
