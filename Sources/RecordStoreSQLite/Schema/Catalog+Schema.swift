import GRDB
import GRDBSQLite
import Records
import SQLiteSupport

extension Catalog {
    /// Adapts the tables and indexes of a type to its schema, and returns the type.
    ///
    /// A new type gets a table, a new field a column, and a new index is filled from the existing records.
    /// Throws `CatalogLag` if this is too much for one commit; `prepareSome` then does it in several.
    mutating func prepared(
        _ schema: TypeSchema, in database: Database, codec: any FieldCodec
    ) throws -> TypeTable {
        if let type = types[schema.name], type.applied == schema { return type }
        let (type, isComplete) = try advanced(to: schema, in: database, codec: codec)
        if !isComplete { throw CatalogLag(schema: schema) }
        return type
    }

    /// Does as much of the work of `prepared` as fits into one commit. Returns whether all work is done.
    mutating func prepareSome(
        _ schema: TypeSchema, in database: Database, codec: any FieldCodec
    ) throws -> Bool {
        if let type = types[schema.name], type.applied == schema { return true }
        return try advanced(to: schema, in: database, codec: codec).isComplete
    }

    private mutating func advanced(
        to schema: TypeSchema, in database: Database, codec: any FieldCodec
    ) throws -> (type: TypeTable, isComplete: Bool) {
        var type = try types[schema.name] ?? Self.create(schema.name, in: database)
        try Self.createSystemIndexes(schema, on: type, in: database)
        var refill = Refill()
        var missing: [(name: String, field: FieldSchema)] = []
        for (name, field) in schema.fields.sorted(by: { $0.key < $1.key }) {
            if let position = type.position(of: name), !type.fields[position].serves(field) {
                try Self.drop(position, of: &type, notIn: field, in: database, &refill)
            }
            if field.indexes.isEmpty || field.isEncrypted { continue }
            if let position = type.position(of: name) {
                try Self.extend(position, of: &type, by: field.indexes, in: database, &refill)
            } else {
                missing.append((name, field))
            }
        }
        // If the table would have too many columns, only fields that a record has get one, when that record
        // is saved.
        let width = missing.reduce(0) { $0 + Self.width(of: $1.field) }
        let isTooWide = type.columnCount + width > Self.columnLimit(database)
        type.crowdedFields = [:]
        for (name, field) in missing where isTooWide { type.crowdedFields[name] = field }
        if isTooWide { missing = [] }
        let turn = try Self.firstTurn(of: missing, on: type, in: database)
        try Self.add(turn, to: &type, in: database, &refill)
        let isComplete = turn.count == missing.count
        type.applied = isComplete ? schema : nil
        return (try settle(type, refill, in: database, codec: codec), isComplete)
    }

    /// Adds columns for fields of a crowded type, before a record with them is saved. Throws `limitExceeded`
    /// for the first field that does not fit.
    mutating func makeRoom(
        for names: [String], of type: TypeTable, in database: Database, codec: any FieldCodec
    ) throws -> TypeTable {
        var (type, refill) = (type, Refill())
        var fields: [(name: String, field: FieldSchema)] = []
        var room = Self.columnLimit(database) - type.columnCount
        for name in names {
            guard let field = type.crowdedFields.removeValue(forKey: name) else { continue }
            room -= Self.width(of: field)
            guard room >= 0 else {
                throw RecordError(
                    .limitExceeded, "record type '\(type.name)' has more fields than a database can index",
                    culprit: name, nextStep: "ask the operator to remove fields of it: cloudlet schema delete"
                )
            }
            fields.append((name, field))
        }
        try Self.add(fields, to: &type, in: database, &refill)
        return try settle(type, refill, in: database, codec: codec)
    }

    /// Stores the type in the catalog after its tables have changed, and fills its new columns and indexes.
    private mutating func settle(
        _ type: TypeTable, _ refill: Refill, in database: Database, codec: any FieldCodec
    ) throws -> TypeTable {
        set(type)
        try layoutChanged(in: database)
        let result = types[type.name] ?? type
        if !refill.isEmpty { try IndexWriter(database: database, type: result).fill(refill, codec) }
        return result
    }

    /// Makes SQLite use the statistics for new tables and indexes, and counts the change of the layout.
    private mutating func layoutChanged(in database: Database) throws {
        layoutChanges += 1
        try Statistics(database: database).load()
    }

    /// Returns the fields that get columns and indexes in this commit. These are few if there are many
    /// records, because each index has an entry for every record, also for those without the field.
    private static func firstTurn(
        of missing: [(name: String, field: FieldSchema)], on type: TypeTable, in database: Database
    ) throws -> [(name: String, field: FieldSchema)] {
        if missing.count <= 1 { return missing }
        // Fields that records already have are filled together, in one pass over all records.
        let known = missing.filter { type.plainFields.contains($0.name) }
        if !known.isEmpty { return known }
        let rows = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(type.table) LIMIT ?)",
            arguments: [entriesPerCommit]
        )
        return Array(missing.prefix(max(1, min(fieldsPerCommit, entriesPerCommit / max(rows ?? 0, 1)))))
    }

    /// The limits for one commit: new fields, and the entries with which their indexes begin.
    private static let fieldsPerCommit = 50
    private static let entriesPerCommit = 200_000

    /// The number of columns of a field: a location has two.
    private static func width(of field: FieldSchema) -> Int { field.type == .scalar(.location) ? 2 : 1 }

    /// SQLite's limit for the columns of a table.
    private static func columnLimit(_ database: Database) -> Int {
        Int(sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_COLUMN, -1))
    }

    /// Drops the indexes of a type that a schema does not have; all of them if `schema` is nil.
    mutating func dropIndexes(
        of name: String, notIn schema: TypeSchema?, in database: Database, codec: any FieldCodec
    ) throws {
        guard var type = types[name] else { return }
        let schema = schema ?? TypeSchema(name: name, systemIndexes: [:])
        var refill = Refill()
        for field in type.fields {
            let wanted = schema.fields[field.name]
            if let wanted, field.serves(wanted) { continue }
            guard let position = type.position(of: field.name) else { continue }
            try Self.drop(position, of: &type, notIn: wanted, in: database, &refill)
        }
        for (system, column, _) in Self.systemColumns where schema.systemIndexes[system] == nil {
            try database.execute(sql: "DROP INDEX IF EXISTS \(type.table)_\(column)")
        }
        type.applied = nil
        set(type)
        try layoutChanged(in: database)
        if !refill.isEmpty, let result = types[name] {
            try IndexWriter(database: database, type: result).fill(refill, codec)
        }
    }

    /// The system fields with an index of their own, their columns, and the assumed number of rows with one
    /// value.
    static let systemColumns: [(field: SystemField, column: String, rows: Int)] = [
        (.modifiedTimestamp, "sequence", 1),
        (.createdUserRecordName, "created_by", Statistics.rowsOfPerson),
        (.modifiedUserRecordName, "modified_by", Statistics.rowsOfPerson),
    ]

    /// Records fields that stored records now have without an index, and returns the type.
    mutating func noted(_ fields: Fields, of type: TypeTable, in database: Database) throws -> TypeTable {
        var type = type
        for (name, field) in fields where !type.knows(name) {
            try database.execute(
                sql: "INSERT INTO record_field (type, name, kind, indexes) VALUES (?, ?, ?, 0)",
                arguments: [type.id, name, field.value.type.kind]
            )
            type.plainFields.insert(name)
        }
        set(type)
        return types[type.name] ?? type
    }

    /// Returns the type with these fields in the catalog.
    mutating func known(_ fields: Fields, of type: TypeTable, in database: Database) throws -> TypeTable {
        fields.names.allSatisfy(type.knows) ? type : try noted(fields, of: type, in: database)
    }

    /// Returns the type with these fields of a new record in the catalog, and with columns for those of a
    /// crowded type.
    mutating func admitted(
        _ fields: Fields, to type: TypeTable, in database: Database, codec: any FieldCodec
    ) throws -> TypeTable {
        let names = fields.names.filter { type.crowdedFields[$0] != nil }
        let table = names.isEmpty ? type : try makeRoom(for: names, of: type, in: database, codec: codec)
        return try known(fields, of: table, in: database)
    }

    private static func create(_ name: String, in database: Database) throws -> TypeTable {
        try database.execute(sql: "INSERT INTO record_type (name) VALUES (?)", arguments: [name])
        let type = TypeTable(id: database.lastInsertedRowID, name: name)
        // Clustered by zone and ordinal, so that reading all records of a type in the order of creation needs
        // no sort.
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
        let rows = Statistics.rows
        try Statistics(database: database).expect(rows, 1, of: type.table, on: type.table)
        return type
    }

    private static func createSystemIndexes(
        _ schema: TypeSchema, on type: TypeTable, in database: Database
    ) throws {
        for (field, column, rows) in systemColumns {
            guard schema.systemIndexes[field]?.isEmpty == false else {
                try database.execute(sql: "DROP INDEX IF EXISTS \(type.table)_\(column)")
                continue
            }
            if type.applied?.systemIndexes[field]?.isEmpty == false { continue }
            try database.execute(
                sql: "CREATE INDEX IF NOT EXISTS \(type.table)_\(column) ON \(type.table) (zone, \(column))"
            )
            try Statistics(database: database).expect(
                Statistics.rows, rows, of: "\(type.table)_\(column)", on: type.table)
        }
    }

    /// Adds all columns before the indexes, because adding a column makes SQLite read all indexes of the
    /// table again.
    private static func add(
        _ fields: [(name: String, field: FieldSchema)], to type: inout TypeTable, in database: Database,
        _ refill: inout Refill
    ) throws {
        var added: [IndexedField] = []
        for (name, field) in fields {
            added.append(try addColumns(name, field, to: &type, in: database, &refill))
        }
        for field in added { try createIndexes(of: field, on: type, in: database) }
    }

    private static func addColumns(
        _ name: String, _ schema: FieldSchema, to type: inout TypeTable, in database: Database,
        _ refill: inout Refill
    ) throws -> IndexedField {
        // The row exists already if records have the field without an index.
        try database.execute(
            sql: """
                INSERT INTO record_field (type, name, kind, indexes)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (type, name) DO UPDATE SET kind = excluded.kind, indexes = excluded.indexes
                """,
            arguments: [type.id, name, schema.type.kind, schema.indexes.rawValue]
        )
        let id = try Int64.fetchOne(
            database, sql: "SELECT id FROM record_field WHERE type = ? AND name = ?",
            arguments: [type.id, name]
        )
        guard let id else {
            throw RecordError(.internalError, "the table record_field lacks a field", culprit: name)
        }
        let field = IndexedField(id: id, name: name, type: schema.type, indexes: schema.indexes)
        for column in field.columns {
            try database.execute(sql: "ALTER TABLE \(type.table) ADD COLUMN \(column) \(field.columnType)")
        }
        type.fields.append(field)
        if type.plainFields.remove(name) != nil { refill.add(field) }
        return field
    }

    /// Adds further indexes to a field that has a column.
    private static func extend(
        _ position: Int, of type: inout TypeTable, by indexes: IndexSet, in database: Database,
        _ refill: inout Refill
    ) throws {
        let wasSearchable = type.fields[position].isSearchable
        if type.fields[position].indexes.isSuperset(of: indexes) { return }
        type.fields[position].indexes.formUnion(indexes)
        let field = type.fields[position]
        try database.execute(
            sql: "UPDATE record_field SET indexes = ? WHERE id = ?",
            arguments: [field.indexes.rawValue, field.id]
        )
        try createIndexes(of: field, on: type, in: database)
        if field.isSearchable, !wasSearchable { refill.hasWords = true }
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
            try createElements(of: field, in: database)
        } else if !field.indexes.isDisjoint(with: [.queryable, .sortable]) {
            try database.execute(
                sql: """
                    CREATE INDEX IF NOT EXISTS \(type.table)_\(field.column)
                    ON \(type.table) (zone, \(field.column))
                    """
            )
            try Statistics(database: database).expect(
                Statistics.rows, Statistics.rowsOfValue, of: "\(type.table)_\(field.column)", on: type.table)
        }
        if field.isSearchable {
            try database.execute(
                sql: """
                    CREATE VIRTUAL TABLE IF NOT EXISTS \(type.wordTable)
                    USING fts5 (words, detail = none, tokenize = 'ascii')
                    """
            )
        }
    }

    private static func createElements(of field: IndexedField, in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS \(field.elementTable) (
                    zone INTEGER NOT NULL,
                    value ANY NOT NULL,
                    record INTEGER NOT NULL,
                    PRIMARY KEY (zone, value, record)
                ) WITHOUT ROWID, STRICT
                """
        )
        try Statistics(database: database).expect(
            Statistics.rows, Statistics.rowsOfValue, 1, of: field.elementTable, on: field.elementTable)
    }
}

/// The error if adapting the tables of a type to its schema in one commit would delay other writes too long.
struct CatalogLag: Error {
    var schema: TypeSchema
}

/// The index entries that existing records must get.
struct Refill {
    /// The fields whose columns, element tables and place tables must be filled.
    private(set) var fields: [IndexedField] = []
    /// Whether the full-text index must be written again.
    var hasWords = false

    var isEmpty: Bool { fields.isEmpty && !hasWords }

    mutating func add(_ field: IndexedField) {
        fields.append(field)
        if field.isSearchable { hasWords = true }
    }
}

extension IndexedField {
    /// Whether the existing column can serve the field of a schema: same type, not encrypted, and no index
    /// that the schema has removed.
    func serves(_ field: FieldSchema) -> Bool {
        type == field.type && !field.isEncrypted && field.indexes.isSuperset(of: indexes)
    }

    /// Whether the column stays when the field loses the indexes that a schema does not have: it has the same
    /// type there, is not encrypted, and keeps an index.
    func keepsColumn(for field: FieldSchema) -> Bool {
        type == field.type && !field.isEncrypted && !indexes.isDisjoint(with: field.indexes)
    }

    /// The SQLite type of the column. For a list, it contains the number of elements.
    var columnType: String {
        switch type {
        case .list, .scalar(.int64), .scalar(.timestamp): "INTEGER"
        case .scalar(.double), .scalar(.location): "REAL"
        case .scalar(.string), .scalar(.reference): "TEXT"
        case .scalar(.bytes), .scalar(.asset): "BLOB"
        }
    }
}
