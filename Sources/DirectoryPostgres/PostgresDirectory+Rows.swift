package import DataRows
import PostgreSQLSupport
import Records

extension PostgresDirectory {
    /// The content as rows.
    package var rows: PostgresDirectoryRows { PostgresDirectoryRows(pool) }
}

/// The content of a directory in PostgreSQL as rows.
package final class PostgresDirectoryRows: DirectoryContent {
    private let pool: ConnectionPool
    package let tables = RowTable.ofDirectory

    fileprivate init(_ pool: ConnectionPool) {
        self.pool = pool
    }

    /// Does nothing: the connections are those of the directory.
    package func close() throws {}

    package func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]] {
        try pool.runBlocking { connection in
            try connection.read(on: nil) { try PostgresRowTable($0.connection, table).page(after: key) }
        }
    }

    package func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws {
        let tables = tables
        try pool.runBlocking { connection in
            try connection.transaction(.writing, on: nil) { session in
                try session.enqueue("LOCK TABLE directory_writer IN SHARE ROW EXCLUSIVE MODE")
                try session.enqueue("DELETE FROM directory_number")
                for table in tables {
                    let rows = PostgresRowTable(session.connection, table)
                    try source.forEachPage(of: table) { page in
                        for row in page { try rows.insert(row) }
                        onRows(page.count)
                    }
                }
                return (true, ())
            }
        }
    }

    /// Deletes all rows.
    package func empty() throws {
        let tables = tables.reversed().filter { $0 != .directoryNumber }
        try pool.runBlocking { connection in
            try connection.transaction(.writing, on: nil) { session in
                try session.enqueue("LOCK TABLE directory_writer IN SHARE ROW EXCLUSIVE MODE")
                for table in tables { try session.enqueue("DELETE FROM \(table.name)") }
                try session.enqueue("UPDATE directory_number SET last = 0")
                return (true, ())
            }
        }
    }
}
