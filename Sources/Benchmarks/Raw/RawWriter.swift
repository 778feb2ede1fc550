import Foundation
import GRDB
import RecordStoreSQLite

/// The baseline for writes: the shortest time that a design on this database engine can reach. It writes the
/// rows of a subject with prepared statements into a new file with the same tables, indexes and settings.
///
/// It writes only the rows that belong to the items. Rows that the subject updates in each commit, such as
/// the number of its last change, are written once at the beginning.
final class RawWriter: Sendable {
    private let rows: WrittenRows
    private let database: any DatabaseWriter

    /// - Parameter database: A new database, opened with the settings of the subject.
    init(_ rows: WrittenRows, into database: any DatabaseWriter) throws {
        self.rows = rows
        self.database = database
        try database.writeWithoutTransaction { database in
            let pageSize = try RecordStoreSQLite.SQL(database, "PRAGMA page_size")
            guard try pageSize.step(), pageSize.integer(0) == rows.pageSize else {
                throw BenchmarkError("the page size of the baseline's database differs from the subject's")
            }
            pageSize.reset()
            try RecordStoreSQLite.SQL(database, "BEGIN IMMEDIATE").run()
            // Rows may refer to rows of a table that is filled later.
            try RecordStoreSQLite.SQL(database, "PRAGMA defer_foreign_keys = ON").run()
            for sql in rows.schema { try RecordStoreSQLite.SQL(database, sql, isKept: false).run() }
            for table in rows.otherTables {
                try table.insert(0..<table.values.count / table.width, into: database)
            }
            for table in rows.itemTables { try table.insert(0..<table.before, into: database) }
            try RecordStoreSQLite.SQL(database, "COMMIT").run()
        }
    }

    /// Writes the rows of these items in one transaction.
    func save(_ items: Range<Int>) throws {
        try database.writeWithoutTransaction { database in
            try RecordStoreSQLite.SQL(database, "BEGIN IMMEDIATE").run()
            for table in rows.itemTables { try table.insert(table.rows(of: items), into: database) }
            try RecordStoreSQLite.SQL(database, "COMMIT").run()
        }
    }

    /// Writes the rows of all items, `batch` items per transaction. Returns the elapsed seconds.
    func saveAll(_ items: Int, batch: Int) throws -> Double {
        let stopwatch = Stopwatch()
        for start in stride(from: 0, to: items, by: batch) {
            try save(start..<min(start + batch, items))
        }
        return stopwatch.seconds
    }
}

extension RawWriter {
    /// Writes the rows of a stopped server's database again. Returns the elapsed seconds.
    ///
    /// - Parameters:
    ///   - file: The server's database.
    ///   - items: The number of records that the measurement sent to the server.
    ///   - batch: The number of records per transaction.
    static func seconds(writing file: URL, items: Int, batch: Int, in folder: URL) throws -> Double {
        try server(file, items: items, in: folder).saveAll(items, batch: batch)
    }

    /// A writer for the rows of a server's database into a new file in `folder`.
    static func server(_ file: URL, items: Int, in folder: URL) throws -> RawWriter {
        let rows = try StoreConnection.reading(file).read { try WrittenRows($0, items: items) }
        return try RawWriter(
            rows, into: StoreConnection.writing(folder.appendingPathComponent("raw.sqlite")))
    }
}
