package import Foundation
package import GRDB
import GRDBSQLite

/// A cached SQLite statement for thousands of rows. It binds values directly, because GRDB's boxed values
/// take longer than the write itself. Bind the values of a row in order, then call `run`.
package struct RowStatement {
    /// Keeps the statement alive, because the cache releases its statements when the schema changes.
    private let statement: Statement
    private let pointer: OpaquePointer
    private var next: Int32 = 1

    package init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
    }

    package mutating func bind(_ value: Int64) {
        sqlite3_bind_int64(pointer, next, value)
        next += 1
    }

    package mutating func bind(_ value: Double) {
        sqlite3_bind_double(pointer, next, value)
        next += 1
    }

    package mutating func bindNull() {
        sqlite3_bind_null(pointer, next)
        next += 1
    }

    package mutating func bind(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text(
                    pointer, next, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
        next += 1
    }

    package mutating func bind(_ value: some ContiguousBytes) {
        value.withUnsafeBytes { bytes in
            // A null pointer would bind NULL, so an empty value needs another pointer.
            let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            _ = sqlite3_bind_blob(pointer, next, start, Int32(bytes.count), Self.transient)
        }
        next += 1
    }

    /// Runs the statement with the bound values.
    package mutating func run() throws {
        next = 1
        let code = sqlite3_step(pointer)
        sqlite3_reset(pointer)
        if code != SQLITE_DONE { throw failure(code) }
    }

    /// Runs a query with the bound values, and returns whether it has a row.
    package mutating func hasRow() throws -> Bool {
        next = 1
        defer { sqlite3_reset(pointer) }
        let code = sqlite3_step(pointer)
        if code != SQLITE_ROW, code != SQLITE_DONE { throw failure(code) }
        return code == SQLITE_ROW
    }

    /// Runs a query with the bound values, and returns the first column of its first row; nil if there is
    /// none.
    package mutating func text() throws -> String? {
        next = 1
        defer { sqlite3_reset(pointer) }
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return sqlite3_column_text(pointer, 0).map { String(cString: $0) } }
        if code != SQLITE_DONE { throw failure(code) }
        return nil
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// Tells SQLite to copy the bound bytes.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
