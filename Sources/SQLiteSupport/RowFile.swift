package import DataRows
package import Foundation
package import GRDB
import Records

/// A database file whose rows are copied. It is migrated to the current version when it is opened.
package final class RowFile: Sendable {
    private let queue: DatabaseQueue
    private let file: URL

    /// Opens a file, or creates it.
    ///
    /// - Parameter prepare: adds to the connection the functions that the file's statements call.
    package init(
        _ file: URL, _ migrator: DatabaseMigrator,
        prepare: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws {
        self.file = file
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase(prepare)
            queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try migrator.migrate(file, queue)
        } catch {
            throw RecordError(storage: error, opening: file)
        }
    }

    package func close() throws {
        do { try queue.close() } catch { throw RecordError(storage: error) }
    }

    package func read<T>(_ body: (Database) throws -> T) throws -> T {
        do { return try queue.read(body) } catch { throw RecordError(storage: error) }
    }

    package func write<T>(_ body: (Database) throws -> T) throws -> T {
        do { return try queue.write(body) } catch { throw RecordError(storage: error, opening: file) }
    }
}

/// Reads and writes rows of a table in a SQLite database.
///
/// GRDB ends a text at the character NUL, which names in references of early versions may have. So texts are
/// read as their bytes, and one with NUL is written as its bytes.
package struct SQLiteRows {
    let database: Database
    /// The table in the form of all engines.
    package let table: RowTable
    /// What its rows are selected from, and the name of the table in the file.
    private let source: String
    /// How a column is read that the source does not have under its name.
    private let expressions: [String: String]

    package init(
        _ database: Database, _ table: RowTable, from source: String? = nil,
        _ expressions: [String: String] = [:]
    ) {
        self.database = database
        self.table = table
        self.source = source ?? table.name
        self.expressions = expressions
    }

    /// A page of rows, as `RowDatabase.rows` returns it.
    package func page(after key: [RowValue]?) throws -> [[RowValue]] {
        func expression(_ column: RowTable.Column) -> String { expressions[column.name] ?? column.name }
        let values = table.columns.map { column in
            column.kind == .text ? "CAST(\(expression(column)) AS BLOB)" : expression(column)
        }
        let order = table.key.map(expression).joined(separator: ", ")
        let condition = key.map { "WHERE (\(order)) > (\($0.places))" } ?? ""
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT \(values.joined(separator: ", "))
                FROM \(source)
                \(condition)
                ORDER BY \(order)
                LIMIT \(table.pageRows)
                """,
            arguments: StatementArguments((key ?? []).map(\.databaseValue)))
        return rows.map { row in
            zip(row.databaseValues, table.columns).map { RowValue($0, $1.kind) }
        }
    }

    /// Inserts a row.
    package func insert(_ row: [RowValue]) throws {
        let names = table.columns.map(\.name).joined(separator: ", ")
        let statement = try database.cachedStatement(
            sql: "INSERT INTO \(source) (\(names)) VALUES (\(row.places))")
        try statement.execute(arguments: StatementArguments(row.map(\.databaseValue)))
    }
}

extension RowValue {
    /// - Parameter kind: that of the column, whose texts are read as their bytes.
    fileprivate init(_ value: DatabaseValue, _ kind: RowTable.Kind) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .double(let real): self = .integer(Int64(real))
        case .string(let text): self = .text(text)
        case .blob(let data) where kind == .text: self = .text(String(decoding: data, as: UTF8.self))
        case .blob(let data): self = .bytes([UInt8](data))
        }
    }

    package var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): hasNUL ? Data(text.utf8).databaseValue : text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}

extension [RowValue] {
    /// The places of the values in a statement. The place of a text without NUL is no expression, so that
    /// SQLite finds a key with its index.
    fileprivate var places: String { map { $0.hasNUL ? "CAST(? AS TEXT)" : "?" }.joined(separator: ", ") }
}
