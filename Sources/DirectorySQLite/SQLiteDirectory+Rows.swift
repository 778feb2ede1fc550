package import DataRows
package import Foundation
import GRDB
import Records
import SQLiteSupport

/// The content of a directory's file as rows.
package final class SQLiteDirectoryRows: DirectoryContent {
    private let file: RowFile
    package let tables = RowTable.ofDirectory

    /// Opens a file, or creates it.
    package init(_ file: URL) throws {
        self.file = try RowFile(file, DirectoryMigrations.migrator)
    }

    package func close() throws { try file.close() }

    package func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]] {
        try file.read { try Self.rows(of: table, in: $0).page(after: key) }
    }

    package func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws {
        try file.write { database in
            for table in tables {
                let rows = Self.rows(of: table, in: database)
                try source.forEachPage(of: table) { page in
                    for row in page {
                        if table == .directoryNumber {
                            try Self.set(row, in: database)
                        } else {
                            try rows.insert(row)
                        }
                    }
                    onRows(page.count)
                }
            }
        }
    }

    package func empty() throws {
        try file.write { database in
            for table in tables.reversed() where table != .directoryNumber {
                try database.execute(sql: "DELETE FROM \(table.name)")
            }
            try database.execute(sql: "DELETE FROM sqlite_sequence")
        }
    }

    /// SQLite keeps the last numbers of tables in a table of its own, which lacks a table without rows.
    private static func rows(of table: RowTable, in database: Database) -> SQLiteRows {
        guard table == .directoryNumber else { return SQLiteRows(database, table) }
        let numbers = """
            (SELECT 'audit_entry' AS subject UNION ALL SELECT 'shared_zone')
            LEFT JOIN sqlite_sequence ON name = subject
            """
        return SQLiteRows(database, table, from: numbers, ["last": "IFNULL(seq, 0)"])
    }

    private static func set(_ row: [RowValue], in database: Database) throws {
        let arguments = StatementArguments(row.map(\.databaseValue))
        try database.execute(
            sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [row[0].databaseValue])
        try database.execute(
            sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: arguments)
    }
}
