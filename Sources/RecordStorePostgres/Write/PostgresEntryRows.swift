import PostgreSQLSupport
import RecordStore
import Records

/// The entries of a record, by the table in which they are rows.
struct PostgresEntryRows: Equatable {
    var integers: [(field: Int64, value: Int64)] = []
    var reals: [(field: Int64, value: Double)] = []
    var bytes: [(field: Int64, value: [UInt8])] = []
    var places: [(field: Int64, place: Location)] = []

    /// The bytes of a value that are part of an index key.
    static let headBytes = 512

    /// The entries of those of the record's fields that have indexes.
    init(_ values: Fields, _ fields: some Sequence<PostgresCatalogField>) {
        for field in fields where !field.indexes.isEmpty {
            if let found = values[field.name], !found.isEncrypted, found.value.type == field.type {
                add(found.value, of: field)
            } else if field.isSortable {
                integers.append((field.other, 0))
            }
        }
    }

    var isEmpty: Bool { integers.isEmpty && reals.isEmpty && bytes.isEmpty && places.isEmpty }

    private mutating func add(_ value: FieldValue, of field: PostgresCatalogField) {
        switch value {
        case .list(_, let elements):
            integers.append((field.other, Int64(elements.count)))
            for element in Set(elements.map(\.sortValue)) { add(element, of: field.id) }
        case .location(let place): places.append((field.id, place))
        case .string(let text):
            add(value.sortValue, of: field.id)
            if field.isSearchable {
                for word in Set(textTokens(text)) { bytes.append((field.other, Array(word.utf8))) }
            }
        default: add(value.sortValue, of: field.id)
        }
    }

    private mutating func add(_ value: SortValue, of field: Int64) {
        switch value {
        case .missing: break
        case .integer(let integer): integers.append((field, integer))
        case .real(let real): reals.append((field, real))
        case .text(let text): bytes.append((field, Array(text.utf8)))
        case .bytes(let value): bytes.append((field, value))
        }
    }

    static func == (a: PostgresEntryRows, b: PostgresEntryRows) -> Bool {
        a.integers.elementsEqual(b.integers, by: ==) && a.reals.elementsEqual(b.reals, by: ==)
            && a.bytes.elementsEqual(b.bytes, by: ==) && a.places.elementsEqual(b.places, by: ==)
    }
}
