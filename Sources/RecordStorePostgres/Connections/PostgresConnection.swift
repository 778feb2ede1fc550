import CPostgres
import Foundation
import Records

/// A connection to PostgreSQL. It waits for each answer, so it belongs to a thread of `ConnectionPool`.
final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements, by their texts.
    private var prepared: [String: String] = [:]
    /// When it is stopped, the running statement is cancelled and later ones are refused. nil: nothing
    /// interrupts statements.
    var interruption: WriteInterruption?

    /// The milliseconds between two checks of `interruption` while a statement runs. The server ignores a
    /// request to cancel that arrives before the statement, so it is repeated at this interval.
    private static let interval: Int32 = 50

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
        _ = try answer { PQsendQuery(handle, sql) }
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
            try answer {
                guard let name else {
                    return PQsendQueryParams(
                        handle, sql, count, arguments.types, values, arguments.lengths, formats, 1)
                }
                return PQsendQueryPrepared(handle, name, count, values, arguments.lengths, formats, 1)
            }
        }
    }

    /// Returns the name of the prepared statement with this text; nil if there are too many.
    private func prepare(_ sql: String, _ arguments: PostgresArguments) throws -> String? {
        if let name = prepared[sql] { return name }
        if prepared.count >= Self.mostPrepared { return nil }
        let name = "s\(prepared.count)"
        _ = try answer { PQsendPrepare(handle, name, sql, Int32(arguments.count), arguments.types) }
        prepared[sql] = name
        return name
    }

    /// Sends a request, and waits for its last result.
    private func answer(to send: () -> Int32) throws -> PostgresRows {
        try interruption?.check()
        guard send() == 1 else { return try rows(of: nil) }
        var last: OpaquePointer?
        while true {
            while PQisBusy(handle) != 0, waitForInput() {}
            guard let result = PQgetResult(handle) else { break }
            PQclear(last)
            last = result
        }
        return try rows(of: last)
    }

    /// Waits until the server has sent something, and reads it. An interrupted statement is cancelled.
    ///
    /// - Returns: false if the connection failed; the next result is then the error.
    private func waitForInput() -> Bool {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let isReady = poll(&socket, 1, interruption == nil ? -1 : Self.interval) > 0
        if isReady { return PQconsumeInput(handle) == 1 }
        if interruption?.isStopped == true { postgres_cancel(handle) }
        return socket.fd >= 0
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
