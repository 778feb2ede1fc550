import Foundation
import GRDB
import RecordStore
import RecordStoreSQLite

/// The contents of a database that a subject has written: the statements that created its tables and indexes,
/// and all rows. These include the rows that triggers have written.
///
/// `RawWriter` writes the same rows again. So the baseline always has the schema, indexes and columns of the
/// subject, even after the subject changes.
struct WrittenRows: Sendable {
    /// A table and its rows.
    struct Table: Sendable {
        let insertion: String
        let width: Int
        /// The values of all rows, row by row.
        let values: [SortValue]
        let rowsPerItem: Int
        /// The number of rows written before the first item.
        let before: Int
    }

    let pageSize: Int64
    /// The CREATE statements in order.
    let schema: [String]
    /// The tables with rows for each item.
    private(set) var itemTables: [Table] = []
    /// All other tables.
    private(set) var otherTables: [Table] = []

    /// - Parameters:
    ///   - database: A database that the subject has closed or does not write to.
    ///   - items: The number of saves or records that the subject received.
    ///   - order: The ORDER BY terms for the order in which the subject wrote the rows; nil: the order of
    ///     their keys.
    init(_ database: Database, items: Int, order: String? = nil) throws {
        pageSize = try Self.integer(database, "PRAGMA page_size")
        var tables: [String] = []
        var schema: [String] = []
        let rows = try RecordStoreSQLite.SQL(
            database,
            """
            SELECT type, name, sql
            FROM sqlite_schema
            WHERE sql IS NOT NULL AND type <> 'trigger' AND name NOT GLOB 'sqlite_*'
            ORDER BY type = 'index', rowid
            """)
        while try rows.step() {
            guard case .text(let type) = rows.sortValue(0), case .text(let name) = rows.sortValue(1),
                case .text(let sql) = rows.sortValue(2)
            else { continue }
            guard !sql.hasPrefix("CREATE VIRTUAL") else {
                throw BenchmarkError("the baseline cannot write the virtual table \(name)")
            }
            schema.append(sql)
            if type == "table" { tables.append(name) }
        }
        self.schema = schema
        for name in tables {
            let table = try Self.table(name, items, order, database)
            if table.rowsPerItem > 0 { itemTables.append(table) } else { otherTables.append(table) }
        }
        guard !itemTables.isEmpty else {
            throw BenchmarkError("the subject has written fewer than \(items) rows")
        }
    }

    private static func table(
        _ name: String, _ items: Int, _ order: String?, _ database: Database
    ) throws -> Table {
        let width = Int(try integer(database, "SELECT COUNT(*) FROM pragma_table_info('\(name)')"))
        let count = Int(try integer(database, "SELECT COUNT(*) FROM \(name)"))
        let ordering = count >= items ? order.map { " ORDER BY \($0)" } : nil
        var values: [SortValue] = []
        let rows = try RecordStoreSQLite.SQL(database, "SELECT * FROM \(name)\(ordering ?? "")")
        while try rows.step() {
            for column in 0..<width { values.append(rows.sortValue(Int32(column))) }
        }
        let places = Array(repeating: "?", count: width).joined(separator: ", ")
        return Table(
            insertion: "INSERT INTO \(name) VALUES (\(places))", width: width, values: values,
            rowsPerItem: count / items, before: count % items)
    }

    private static func integer(_ database: Database, _ sql: String) throws -> Int64 {
        let row = try RecordStoreSQLite.SQL(database, sql)
        defer { row.reset() }
        return try row.step() ? row.integer(0) : 0
    }
}

extension WrittenRows.Table {
    /// Inserts these rows with one prepared statement.
    func insert(_ rows: Range<Int>, into database: Database) throws {
        var statement = try RecordStoreSQLite.SQL(database, insertion)
        for row in rows {
            statement.rebind()
            for value in values[row * width..<(row + 1) * width] { statement.bind(value) }
            try statement.run()
        }
    }

    /// The indexes of the rows that belong to these items.
    func rows(of items: Range<Int>) -> Range<Int> {
        before + items.lowerBound * rowsPerItem..<before + items.upperBound * rowsPerItem
    }
}
