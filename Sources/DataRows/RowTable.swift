/// A table of the form in which all engines read and write the content of a database. An engine may store it
/// differently.
package struct RowTable: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case integer
        case text
        case bytes
    }

    package struct Column: Hashable, Sendable {
        package let name: String
        package let kind: Kind

        static func integer(_ name: String) -> Column { Column(name: name, kind: .integer) }
        static func text(_ name: String) -> Column { Column(name: name, kind: .text) }
        static func bytes(_ name: String) -> Column { Column(name: name, kind: .bytes) }
    }

    package let name: String
    /// All columns; those of the key come first.
    package let columns: [Column]
    /// The number of columns by which rows are identified and sorted. They are never NULL.
    package let keyCount: Int
    /// The number of rows that are read at once.
    package let pageRows: Int

    /// - Parameter pageRows: small for a table whose rows can be large.
    package init(_ name: String, key: [Column], _ others: [Column] = [], pageRows: Int = 500) {
        self.name = name
        columns = key + others
        keyCount = key.count
        self.pageRows = pageRows
    }

    package var key: ArraySlice<Column> { columns.prefix(keyCount) }

    package func key(of row: [RowValue]) -> [RowValue] { Array(row.prefix(keyCount)) }

    /// The value of a column; nil if the table has no such column.
    package func value(_ column: String, of row: [RowValue]) -> RowValue? {
        columns.firstIndex { $0.name == column }.map { row[$0] }
    }
}
