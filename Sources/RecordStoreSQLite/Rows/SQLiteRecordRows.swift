package import DataRows
package import Foundation
import GRDB
import RecordStore
package import Records
import SQLiteSupport

/// The content of a file of records as rows.
package final class SQLiteRecordRows: RowDatabase {
    private let file: RowFile
    private let types: [TypeSchema]
    private let codec: any FieldCodec
    package let tables = RowTable.ofRecords

    /// Opens a file, or creates it.
    ///
    /// - Parameter types: the types of the schema, whose indexes a new file gets.
    package init(_ file: URL, types: [TypeSchema], codec: any FieldCodec) throws {
        self.file = try RowFile(file, StoreMigrations.migrator) { SQLFunctions.add(to: $0) }
        self.types = types
        self.codec = codec
        // A file of an older version gets its counts when a server opens it.
        try self.file.write { _ = try UsageAccount(database: $0).usageOfAllZones(codec: codec) }
    }

    package func close() throws { try file.close() }

    package func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]] {
        try file.read { try Self.rows(of: table, in: $0).page(after: key) }
    }

    package func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws {
        try file.write { database in
            var writer = try RecordRowWriter(database, types: types, codec: codec)
            for table in tables {
                let rows = Self.rows(of: table, in: database)
                try source.forEachPage(of: table) { page in
                    for row in page {
                        if table == .record { try writer.insert(row) } else { try Self.insert(row, rows) }
                    }
                    onRows(page.count)
                }
            }
            try database.execute(sql: TimeMarks.marksOfRecords)
        }
    }

    private static func rows(of table: RowTable, in database: Database) -> SQLiteRows {
        switch table {
        case .database: SQLiteRows(database, table, from: "store")
        case .record:
            SQLiteRows(
                database, table, from: "record r",
                ["type": "(SELECT t.name FROM record_type t WHERE t.id = r.type)"])
        case .clientBatch:
            SQLiteRows(database, table, from: nil, ["exceptions": Self.exceptions])
        default: SQLiteRows(database, table)
        }
    }

    /// The names in a JSON array, one on each line. Names contain no control characters.
    private static let exceptions =
        "IFNULL((SELECT group_concat(value, char(10)) FROM json_each(exceptions)), '')"

    private static func insert(_ row: [RowValue], _ rows: SQLiteRows) throws {
        var row = row
        if rows.table == .clientBatch, let names = row.popLast()?.text {
            let list = names.split(separator: "\n").map(String.init)
            row.append(try ClientBatches.text(list).map(RowValue.text) ?? .null)
        }
        try rows.insert(row)
    }
}
