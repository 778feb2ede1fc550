import Foundation
package import GRDB
import GRDBSQLite
package import RecordStore

/// A prepared statement. GRDB prepares and caches it; binding and stepping call SQLite directly, because
/// boxing each argument would dominate the cost of a batch of small writes.
///
/// A `SQL` must only be used on the thread and during the access to its `Database`.
package struct SQL {
    /// Retained here, because GRDB's cache releases its statements when a table changes.
    private let statement: Statement
    private let pointer: OpaquePointer
    private var next: Int32 = 1

    /// - Parameter isKept: whether the statement stays in the connection's cache; false for texts of which
    ///   there may be any number.
    package init(_ database: Database, _ text: String, isKept: Bool = true) throws {
        statement = try isKept ? database.cachedStatement(sql: text) : database.makeStatement(sql: text)
        pointer = statement.sqliteStatement
        sqlite3_reset(pointer)
    }

    // MARK: Arguments, in order

    mutating func bind(_ value: Int64) {
        sqlite3_bind_int64(pointer, next, value)
        next += 1
    }

    mutating func bind(_ value: Double) {
        sqlite3_bind_double(pointer, next, value)
        next += 1
    }

    mutating func bind(_ value: String) {
        var value = value
        value.withUTF8 { bytes in
            _ = bytes.withMemoryRebound(to: CChar.self) { chars in
                sqlite3_bind_text(pointer, next, chars.baseAddress, Int32(chars.count), Self.transient)
            }
        }
        next += 1
    }

    mutating func bind(_ value: String?) {
        if let value { bind(value) } else { bindNull() }
    }

    mutating func bind(_ value: [UInt8]) {
        _ = value.withUnsafeBytes { bytes in
            sqlite3_bind_blob(pointer, next, bytes.baseAddress, Int32(bytes.count), Self.transient)
        }
        next += 1
    }

    mutating func bindNull() {
        sqlite3_bind_null(pointer, next)
        next += 1
    }

    package mutating func bind(_ value: SortValue) {
        switch value {
        case .missing: bindNull()
        case .integer(let integer): bind(integer)
        case .real(let real): bind(real)
        case .text(let text): bind(text)
        case .bytes(let bytes): bind(bytes)
        }
    }

    /// Starts again with the first argument, to run the statement for another row.
    package mutating func rebind() { next = 1 }

    // MARK: Running

    /// Runs a statement that returns no rows, and resets it.
    package func run() throws {
        defer { sqlite3_reset(pointer) }
        let code = sqlite3_step(pointer)
        if code != SQLITE_DONE { throw failure(code) }
    }

    /// Moves to the next row. Returns false, and resets the statement, if there is none.
    package func step() throws -> Bool {
        let code = sqlite3_step(pointer)
        if code == SQLITE_ROW { return true }
        sqlite3_reset(pointer)
        if code == SQLITE_DONE { return false }
        throw failure(code)
    }

    package func reset() {
        sqlite3_reset(pointer)
    }

    private func failure(_ code: Int32) -> DatabaseError {
        let message = sqlite3_db_handle(pointer).flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: statement.sql)
    }

    /// Makes SQLite copy a bound value before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // MARK: Columns of the current row

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    func real(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(pointer, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String {
        guard let chars = sqlite3_column_text(pointer, column) else { return "" }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: chars, count: count), as: UTF8.self)
    }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(pointer, column) else { return [] }
        let count = Int(sqlite3_column_bytes(pointer, column))
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The bytes of a text or blob, valid until the next step; nil for NULL.
    ///
    /// One call looks the column up for all three uses of its value. Such a value may only be used by one
    /// thread at a time, as a connection is here.
    func memory(_ column: Int32) -> UnsafeRawBufferPointer? {
        let value = sqlite3_column_value(pointer, column)
        if let start = sqlite3_value_blob(value) {
            return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        }
        let isNull = sqlite3_value_type(value) == SQLITE_NULL
        return isNull ? nil : Self.noBytes
    }

    /// The bytes of a text or blob, valid until the next step; empty for NULL.
    package func memoryOrNone(_ column: Int32) -> UnsafeRawBufferPointer { memory(column) ?? Self.noBytes }

    private static var noBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }

    /// The value in the form in which stores sort it.
    package func sortValue(_ column: Int32) -> SortValue {
        switch sqlite3_column_type(pointer, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .bytes(bytes(column))
        default: .missing
        }
    }
}
