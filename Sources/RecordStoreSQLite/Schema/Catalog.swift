import GRDB
import Records
import SQLiteSupport

/// A field with a column in its type's table, and the indexes on it.
struct IndexedField: Hashable, Sendable {
    var id: Int64
    var name: String
    var type: FieldType
    /// Never empty: a field without an index has no column.
    var indexes: IndexSet

    /// The column in the type's table: the value, or for a list the number of its elements.
    var column: String { "f\(id)" }
    var latitudeColumn: String { "f\(id)_latitude" }
    var longitudeColumn: String { "f\(id)_longitude" }
    /// The table of a list's elements.
    var elementTable: String { "element_\(id)" }
    /// The R*Tree table of a location.
    var placeTable: String { "place_\(id)" }

    var isLocation: Bool { type == .scalar(.location) }
    var isSearchable: Bool { indexes.contains(.searchable) && type == .scalar(.string) }

    var columns: [String] { isLocation ? [latitudeColumn, longitudeColumn] : [column] }
}

/// A record type with its table, in which all queries on the type are planned.
struct TypeTable: Hashable, Sendable {
    var id: Int64
    var name: String
    var fields: [IndexedField] = []
    /// Fields that records have, or had, without an index. An index that one gets later must be filled.
    var plainFields: Set<String> = []
    /// The schema to which the tables were last adapted; nil if that is not known or not complete.
    var applied: TypeSchema?
    /// Indexed fields that get a column only when a record has them. They exist only in a type with more
    /// fields than a table can have columns; older versions allowed such types.
    var crowdedFields: [String: FieldSchema] = [:]

    // Derived from `fields` once, because they are needed for every record.

    /// The statement that inserts a row into the type's table.
    private(set) var insertSQL = ""
    private(set) var hasWords = false
    /// Fields with entries in tables of their own: lists and locations.
    private(set) var partedFields: [IndexedField] = []
    private var positions: [String: Int] = [:]

    init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }

    var table: String { "type_\(id)" }
    /// The number of columns of the table: five of its own, and those of the fields.
    var columnCount: Int { 5 + fields.reduce(0) { $0 + $1.columns.count } }
    /// The full-text index over all searchable strings. The row with a record's id has its words; the row
    /// with the negative id has later words, those that were added since that row was written.
    var wordTable: String { "words_\(id)" }

    func field(named name: String) -> IndexedField? {
        positions[name].map { fields[$0] }
    }

    func position(of name: String) -> Int? { positions[name] }

    /// Whether the catalog has this field: a record was stored with it, or it has a column.
    func knows(_ name: String) -> Bool {
        positions[name] != nil || plainFields.contains(name)
    }

    mutating func compose() {
        positions = Dictionary(uniqueKeysWithValues: fields.enumerated().map { ($1.name, $0) })
        hasWords = fields.contains(where: \.isSearchable)
        partedFields = fields.filter { $0.isLocation || $0.type.isList }
        let columns = fields.flatMap(\.columns)
        insertSQL = """
            INSERT INTO \(table) (zone, record, sequence, created_by, modified_by\
            \(columns.map { ", " + $0 }.joined()))
            VALUES (?, ?, ?, ?, ?\(String(repeating: ", ?", count: columns.count)))
            """
    }
}

/// The record types of a database file, as stored in `record_type` and `record_field`.
struct Catalog: Hashable, Sendable {
    private(set) var types: [String: TypeTable] = [:]
    private(set) var names: [Int64: String] = [:]
    /// Number of times that tables or indexes were changed since the file was opened.
    var layoutChanges = 0

    /// Reads the catalog of a file.
    init(_ database: Database) throws {
        for row in try Row.fetchAll(database, sql: "SELECT id, name FROM record_type ORDER BY id") {
            set(TypeTable(id: row[0], name: row[1]))
        }
        let fields = try Row.fetchAll(
            database, sql: "SELECT id, type, name, kind, indexes FROM record_field ORDER BY id"
        )
        for row in fields {
            guard let typeName = names[row[1]], var type = types[typeName] else { continue }
            let indexes = IndexSet(rawValue: row[4])
            if indexes.isEmpty {
                type.plainFields.insert(row[2])
            } else if let fieldType = FieldType(kind: row[3]) {
                type.fields.append(IndexedField(id: row[0], name: row[2], type: fieldType, indexes: indexes))
            }
            set(type)
        }
    }

    mutating func set(_ type: TypeTable) {
        var type = type
        type.compose()
        types[type.name] = type
        names[type.id] = type.name
    }
}
