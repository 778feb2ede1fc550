import GRDBSQLite

/// Bound, stepped and reset without copies where the engine allows it.
final class SQLiteStatement {
    private let statement: OpaquePointer

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    deinit {
        sqlite3_finalize(statement)
    }

    func bind(_ place: Int32, _ value: Int) {
        sqlite3_bind_int64(statement, place, Int64(value))
    }

    func bind(_ place: Int32, _ value: String) {
        sqlite3_bind_text(statement, place, value, -1, Self.transient)
    }

    func bindBlob(_ place: Int32, _ value: [UInt8]) {
        sqlite3_bind_blob(statement, place, value, Int32(value.count), Self.transient)
    }

    /// True when there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw BenchmarkError(String(cString: sqlite3_errmsg(sqlite3_db_handle(statement))))
        }
    }

    /// For statements without rows.
    func run() throws {
        _ = try step()
        sqlite3_reset(statement)
    }

    func reset() {
        sqlite3_reset(statement)
    }

    func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(statement, column))
    }

    /// Valid until the next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    /// Tells the engine to keep a copy.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
