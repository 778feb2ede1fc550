import GRDB
import Records
import SQLiteSupport

/// A field that has a column, and perhaps an index of its own kind.
struct IndexedField: Hashable, Sendable {
    var id: Int64
    var name: String
    var type: FieldType
    /// Never empty: a field without an index has no column.
    var indexes: IndexSet

    /// The column of the type's table: the value, or the number of elements of a list.
    var column: String { "f\(id)" }
    var latitudeColumn: String { "f\(id)_latitude" }
    var longitudeColumn: String { "f\(id)_longitude" }
    /// The elements of a list, each findable.
    var elementTable: String { "element_\(id)" }
    /// The R*Tree of a location.
    var placeTable: String { "place_\(id)" }

    var isLocation: Bool { type == .scalar(.location) }
    var isSearchable: Bool { indexes.contains(.searchable) && type == .scalar(.string) }

    /// The columns that hold the field's value.
    var columns: [String] { isLocation ? [latitudeColumn, longitudeColumn] : [column] }
}

/// A record type with its table, in which the engine plans every query.
struct TypeTable: Hashable, Sendable {
    var id: Int64
    var name: String
    var fields: [IndexedField] = []
    /// Fields that records have, or had, without an index: should they get one, it must be filled.
    var plainFields: Set<String> = []
    /// The schema that the tables were last brought in line with.
    var applied: TypeSchema?
    /// Fields that should have an index, and get a column when a record has them: of a type with more fields
    /// than a table can have columns, which older versions let come into being.
    var crowdedFields: [String: FieldSchema] = [:]

    // Worked out once from the fields, because they are used for every record.

    /// Writes a row of the type's table.
    private(set) var insertSQL = ""
    private(set) var hasWords = false
    /// Fields with entries in tables of their own.
    private(set) var partedFields: [IndexedField] = []
    private var positions: [String: Int] = [:]

    init(id: Int64, name: String) {
        self.id = id
        self.name = name
    }

    var table: String { "type_\(id)" }
    /// All columns of the table: its own five, and those of fields.
    var columnCount: Int { 5 + fields.reduce(0) { $0 + $1.columns.count } }
    /// The full-text index over all searchable strings: the words of a record in the row of its number, and
    /// those that it got since that was written in the row of the negative number.
    var wordTable: String { "words_\(id)" }

    func field(named name: String) -> IndexedField? {
        positions[name].map { fields[$0] }
    }

    func position(of name: String) -> Int? { positions[name] }

    /// Whether records of this type were ever stored with that field.
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

/// All types of a database file.
struct Catalog: Hashable, Sendable {
    private(set) var types: [String: TypeTable] = [:]
    private(set) var names: [Int64: String] = [:]

    /// Reads the catalogue of a file.
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
