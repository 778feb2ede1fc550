import Foundation
import GRDBSQLite

/// The thinnest layer that is still pleasant: open, execute, prepare.
final class SQLiteFile {
    let handle: OpaquePointer

    /// Write-ahead log, flushed at every commit, checkpoints as rare as the store's.
    init(path: String, isDurable: Bool = true) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw BenchmarkError("no database at \(path)")
        }
        self.handle = handle
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
        try execute("PRAGMA wal_autocheckpoint = 20000")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError("\(message) in \(sql)")
        }
    }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
                == SQLITE_OK,
            let statement
        else { throw BenchmarkError("\(message) in \(sql)") }
        return SQLiteStatement(statement)
    }

    private var message: String { String(cString: sqlite3_errmsg(handle)) }
}
