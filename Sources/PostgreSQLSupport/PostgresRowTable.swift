package import DataRows
import Records

/// Reads and writes rows of a table in PostgreSQL.
package struct PostgresRowTable {
    package let connection: PostgresConnection
    /// The table in the form of all engines.
    package let table: RowTable
    /// What its rows are selected from, and the name of the table in the engine.
    private let source: String
    /// The condition that its rows meet, with the arguments `$1` and so on; nil: all rows.
    private let condition: String?
    private let arguments: [PostgresValue]
    /// How a column is read that the source does not have under its name.
    private let expressions: [String: String]
    /// The column of the argument in each row that is inserted.
    private let owner: String?

    package init(
        _ connection: PostgresConnection, _ table: RowTable, from source: String? = nil,
        where condition: String? = nil, _ arguments: [PostgresValue] = [],
        _ expressions: [String: String] = [:], owner: String? = nil
    ) {
        self.connection = connection
        self.table = table
        self.source = source ?? table.name
        self.condition = condition
        self.arguments = arguments
        self.expressions = expressions
        self.owner = owner
    }

    /// A page of rows, as `RowDatabase.rows` returns it.
    package func page(after key: [RowValue]?) throws -> [[RowValue]] {
        func list(_ columns: some Sequence<RowTable.Column>) -> String {
            columns.map { expressions[$0.name] ?? $0.name }.joined(separator: ", ")
        }
        var conditions = condition.map { [$0] } ?? []
        if key != nil {
            let places = table.key.indices.map { "$\(arguments.count + $0 + 1)" }.joined(separator: ", ")
            conditions.append("(\(list(table.key))) > (\(places))")
        }
        let rows = try connection.run(
            """
            SELECT \(list(table.columns))
            FROM \(source)
            \(conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND "))
            ORDER BY \(list(table.key))
            LIMIT \(table.pageRows)
            """,
            arguments + (key ?? []).map(PostgresValue.init))
        return rows.map { row in
            table.columns.enumerated().map { RowValue(row, Int32($0), $1.kind) }
        }
    }

    /// Inserts a row.
    ///
    /// - Parameter places: how the value of a column is written, if not as its argument.
    package func insert(_ row: [RowValue], _ places: [String: (String) -> String] = [:]) throws {
        let first = owner == nil ? 0 : arguments.count
        let names = (owner.map { [$0] } ?? []) + table.columns.map(\.name)
        let values = table.columns.enumerated().map { index, column in
            let argument = "$\(first + index + 1)"
            return places[column.name]?(argument) ?? argument
        }
        try connection.send(
            """
            INSERT INTO \(source) (\(names.joined(separator: ", ")))
            VALUES (\(((owner == nil ? [] : ["$1"]) + values).joined(separator: ", ")))
            """,
            (owner == nil ? [] : arguments) + row.map(PostgresValue.init))
    }
}

extension RowValue {
    init(_ row: PostgresRow, _ column: Int32, _ kind: RowTable.Kind) {
        if row.isNull(column) {
            self = .null
            return
        }
        switch kind {
        case .integer: self = .integer(row.integer(column))
        case .text: self = .text(row.text(column))
        case .bytes: self = .bytes(row.bytes(column))
        }
    }
}

extension PostgresValue {
    package init(_ value: RowValue) {
        switch value {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .bytes(bytes)
        }
    }
}
