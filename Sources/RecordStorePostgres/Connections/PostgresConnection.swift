import CPostgres
import Records

/// A connection to PostgreSQL. It waits for each answer, so it belongs to a thread of `ConnectionPool`.
final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their texts.
    private var prepared: [String: String] = [:]

    /// Prepared statements per connection. Texts beyond it are sent each time.
    private static let mostPrepared = 500

    /// Connects. Throws `tryAgainLater` if that fails.
    ///
    /// - Parameter address: a connection string of libpq.
    init(_ address: String) throws {
        guard let handle = PQconnectdb(address) else {
            throw RecordError(postgres: "out of memory", state: "53200")
        }
        guard PQstatus(handle) == 0 else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            PQfinish(handle)
            throw RecordError(postgres: message, state: "08001")
        }
        postgres_be_quiet(handle)
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// Whether the connection works.
    var isOpen: Bool { PQstatus(handle) == 0 }

    /// Whether a transaction is open, also a failed one.
    var isInTransaction: Bool { PQtransactionStatus(handle) != 0 }

    /// Runs statements without arguments, separated by semicolons.
    func execute(_ sql: String) throws {
        _ = try rows(of: PQexec(handle, sql))
    }

    /// Runs a statement with arguments, which are `$1` and so on in its text.
    ///
    /// - Parameter isKept: whether the statement stays prepared; false for texts of which there may be any
    ///   number.
    func run(_ sql: String, _ values: [PostgresValue], isKept: Bool = true) throws -> PostgresRows {
        let arguments = try PostgresArguments(values)
        let count = Int32(arguments.count)
        let name = isKept ? try prepare(sql, arguments) : nil
        return try arguments.withPointers { values, formats in
            if let name {
                return try rows(
                    of: PQexecPrepared(handle, name, count, values, arguments.lengths, formats, 1))
            }
            return try rows(
                of: PQexecParams(handle, sql, count, arguments.types, values, arguments.lengths, formats, 1))
        }
    }

    /// Returns the name of the prepared statement with this text; nil if there are too many.
    private func prepare(_ sql: String, _ arguments: PostgresArguments) throws -> String? {
        if let name = prepared[sql] { return name }
        if prepared.count >= Self.mostPrepared { return nil }
        let name = "s\(prepared.count)"
        _ = try rows(of: PQprepare(handle, name, sql, Int32(arguments.count), arguments.types))
        prepared[sql] = name
        return name
    }

    private func rows(of result: OpaquePointer?) throws -> PostgresRows {
        guard let result else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            throw RecordError(postgres: message, state: "08006")
        }
        let rows = PostgresRows(result)
        if PQresultStatus(result) == 1 || PQresultStatus(result) == 2 { return rows }
        let (state, primary) = (Int32(UInt8(ascii: "C")), Int32(UInt8(ascii: "M")))
        throw RecordError(
            postgres: PQresultErrorField(result, primary).map { String(cString: $0) } ?? "",
            state: PQresultErrorField(result, state).map { String(cString: $0) } ?? "08006")
    }
}
