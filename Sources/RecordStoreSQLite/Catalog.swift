// Owns what a database file knows of record types: which tables and columns index which fields.

import GRDB
import Records

/// A field that has a column, and perhaps an index of its own kind.
struct IndexedField: Hashable, Sendable {
    var id: Int64
    var name: String
    var type: FieldType
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
    /// In the order of their ids.
    var fields: [IndexedField] = []
    /// The schema that the tables were last brought in line with.
    var applied: TypeSchema?
    /// Writes a row of the type's table; kept, because it is used for every record.
    private(set) var insertSQL = ""

    var table: String { "type_\(id)" }
    /// The full-text index over all searchable strings.
    var wordTable: String { "words_\(id)" }
    var hasWords: Bool { fields.contains(where: \.isSearchable) }

    func field(named name: String) -> IndexedField? {
        fields.first { $0.name == name }
    }

    fileprivate mutating func composeSQL() {
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
            let kind: Int64 = row[3]
            guard let scalar = ScalarType(rawValue: UInt8(kind % 100)) else { continue }
            type.fields.append(
                IndexedField(
                    id: row[0], name: row[2], type: kind >= 100 ? .list(scalar) : .scalar(scalar),
                    indexes: IndexSet(rawValue: row[4])
                )
            )
            set(type)
        }
    }

    mutating func set(_ type: TypeTable) {
        var type = type
        type.composeSQL()
        types[type.name] = type
        names[type.id] = type.name
    }
}

extension FieldType {
    var kind: Int64 { Int64(element.rawValue) + (isList ? 100 : 0) }
}
