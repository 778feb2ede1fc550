import Foundation
import GRDB
import RecordStoreSQLite

/// The floor of any design on this database engine: the rows of a subject, written by prepared statements
/// into a new file with the same tables, indexes and settings.
///
/// It writes the rows that belong to the items. What the subject updates beside them in each commit, such as
/// the number of its last change, is there from the beginning.
final class RawWriter: Sendable {
    private let rows: WrittenRows
    private let database: any DatabaseWriter

    /// - Parameter database: a new file, opened with the settings of the subject.
    init(_ rows: WrittenRows, into database: any DatabaseWriter) throws {
        self.rows = rows
        self.database = database
        try database.writeWithoutTransaction { database in
            let pageSize = try RecordStoreSQLite.SQL(database, "PRAGMA page_size")
            guard try pageSize.step(), pageSize.integer(0) == rows.pageSize else {
                throw BenchmarkError("raw has pages of another size than the subject")
            }
            pageSize.reset()
            try RecordStoreSQLite.SQL(database, "BEGIN IMMEDIATE").run()
            // Rows may refer to rows of a later table.
            try RecordStoreSQLite.SQL(database, "PRAGMA defer_foreign_keys = ON").run()
            for sql in rows.schema { try RecordStoreSQLite.SQL(database, sql, isKept: false).run() }
            for table in rows.otherTables {
                try table.insert(0..<table.values.count / table.width, into: database)
            }
            for table in rows.itemTables { try table.insert(0..<table.before, into: database) }
            try RecordStoreSQLite.SQL(database, "COMMIT").run()
        }
    }

    /// Writes the rows of some items in one transaction.
    func save(_ items: Range<Int>) throws {
        try database.writeWithoutTransaction { database in
            try RecordStoreSQLite.SQL(database, "BEGIN IMMEDIATE").run()
            for table in rows.itemTables { try table.insert(table.rows(of: items), into: database) }
            try RecordStoreSQLite.SQL(database, "COMMIT").run()
        }
    }

    /// Writes the rows of all items, so many items in a transaction. Returns the seconds that it took.
    func saveAll(_ items: Int, batch: Int) throws -> Double {
        let stopwatch = Stopwatch()
        for start in stride(from: 0, to: items, by: batch) {
            try save(start..<min(start + batch, items))
        }
        return stopwatch.seconds
    }
}

extension RawWriter {
    /// Writes what a server has written into its database, which it has closed. Returns the seconds that it
    /// took.
    ///
    /// - Parameters:
    ///   - file: the server's.
    ///   - items: how many records the server was sent in the measurement.
    ///   - batch: records in a transaction.
    static func seconds(writing file: URL, items: Int, batch: Int, in folder: URL) throws -> Double {
        try server(file, items: items, in: folder).saveAll(items, batch: batch)
    }

    /// What writes the rows of a server's database anew, into a file in that folder.
    static func server(_ file: URL, items: Int, in folder: URL) throws -> RawWriter {
        let rows = try StoreConnection.reading(file).read { try WrittenRows($0, items: items) }
        return try RawWriter(
            rows, into: StoreConnection.writing(folder.appendingPathComponent("raw.sqlite")))
    }
}
