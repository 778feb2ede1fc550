package import GRDB
import GRDBSQLite

extension Database {
    /// Keeps the files `-wal` and `-shm` of the write-ahead log when the database is closed. The log is
    /// emptied, so it takes no space.
    ///
    /// Without these files, opening the database creates the index of the log (`-shm`), which fails on a full
    /// disk. With them, the database can be read on a full disk.
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

    /// The size of the write-ahead log in bytes; 0 if there is none.
    package var logSize: Int64 {
        guard let connection = sqliteConnection else { return 0 }
        var log: UnsafeMutablePointer<sqlite3_file>?
        let code = withUnsafeMutablePointer(to: &log) {
            sqlite3_file_control(connection, nil, SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard code == SQLITE_OK, let log, let methods = log.pointee.pMethods else { return 0 }
        var size: Int64 = 0
        return methods.pointee.xFileSize(log, &size) == SQLITE_OK ? size : 0
    }
}
