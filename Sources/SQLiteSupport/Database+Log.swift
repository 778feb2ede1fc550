package import GRDB
import GRDBSQLite

extension Database {
    /// Keeps the files of the write-ahead log when the database is closed, the log itself with no bytes.
    ///
    /// Opening a database without these files creates the index of the log, for which a full disk has no
    /// room. With them, a database can be read on a full disk.
    package func keepLogFiles() throws {
        var isKept: CInt = 1
        let code = withUnsafeMutablePointer(to: &isKept) {
            sqlite3_file_control(sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, $0)
        }
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        // With any limit, closing the database empties the log. This one is above the size at which SQLite
        // copies the log into the database: overwriting a log is faster than extending it.
        try execute(sql: "PRAGMA journal_size_limit = \(128 << 20)")
    }
}
