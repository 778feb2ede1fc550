import Foundation
import GRDB
import GRDBSQLite

/// A statement from the connection's cache for rows by the thousand: boxing every value costs more than
/// storing it. The values of one row are bound in order, then it runs.
struct PlainStatement {
    /// Held because the cache lets go of its statements when a table changes.
    private let statement: Statement
    private let pointer: OpaquePointer
    private var next: Int32 = 1

    init(_ database: Database, _ sql: String) throws {
        statement = try database.cachedStatement(sql: sql)
        pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
    }

    mutating func bind(_ value: Int64) {
        sqlite3_bind_int64(pointer, next, value)
        next += 1
    }

    mutating func bind(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) { characters in
                sqlite3_bind_text(
                    pointer, next, characters.baseAddress, Int32(characters.count), Self.transient)
            }
        }
        next += 1
    }

    mutating func bind(_ value: some ContiguousBytes) {
        value.withUnsafeBytes { bytes in
            // An empty value is no NULL.
            let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
            _ = sqlite3_bind_blob(pointer, next, start, Int32(bytes.count), Self.transient)
        }
        next += 1
    }

    /// Runs the statement for the row that was bound.
    mutating func run() throws {
        next = 1
        let code = sqlite3_step(pointer)
        sqlite3_reset(pointer)
        guard code != SQLITE_DONE else { return }
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// The first column of the only row that the statement finds for what was bound; nil when there is none.
    mutating func text() throws -> String? {
        next = 1
        defer { sqlite3_reset(pointer) }
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return sqlite3_column_text(pointer, 0).map { String(cString: $0) } }
        guard code != SQLITE_DONE else { return nil }
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer)))
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// The engine copies what it is given.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
