import CPostgres
import Foundation
import Records

/// A connection to PostgreSQL. It waits for answers, so it belongs to a thread of `ConnectionPool`.
///
/// Statements are sent one after the other without waiting, and their results are read together when one of
/// them is needed. So a batch of statements takes one round trip. After an error the server skips the
/// statements that were sent behind it, and the connection refuses others until `recover()`.
package final class PostgresConnection {
    private let handle: OpaquePointer
    /// The names of the prepared statements.
    private var prepared: [Statement: String] = [:]
    /// The number of statements that were ever prepared, because a name is used only once.
    private var preparations = 0
    /// The number of these with the reuse `possible`.
    private var possible = 0
    /// The number of statements that were sent, and the number after which their plans are made again.
    private var sent = 0
    private var nextPlanning = PostgresConnection.firstPlanning
    /// The requests whose results have not been read, in their order.
    private var pending: [Pending] = []
    /// The first error since `recover()`.
    private var failure: (any Error)?
    /// When its check fails, the running statement is cancelled and later ones are refused. nil: nothing
    /// interrupts statements.
    package var interruption: (any Interruption)?
    /// The bytes of memory that the largest result of a statement has occupied, for tests and diagnosis.
    package private(set) var largestResultBytes = 0

    private struct Statement: Hashable {
        var sql: String
        /// The types of its arguments: the server expects the types with which the statement was prepared.
        var types: [UInt32]
    }

    /// Whether a statement stays prepared in the server.
    package enum Reuse {
        /// The statement has one of a limited number of texts, and stays prepared.
        case certain
        /// The number of such texts is not limited, but some are frequent. The first texts stay prepared.
        case possible
        case none
    }

    private enum Pending {
        case statement(PostgresAnswer)
        case preparation(Statement)
        case sync
    }

    /// The maximum number of prepared statements. Further texts are sent each time.
    private static let maximumPrepared = 500

    /// The maximum number of prepared statements with the reuse `possible`, and the maximum bytes of their
    /// texts.
    private static let (maximumPossible, longestPossible) = (100, 4096)

    /// After this many statements, and then after twice as many each time, all plans are made again. A plan
    /// is kept until the server analyses its tables. If it was made while they were nearly empty, the
    /// server may read all rows of a database to find one, because that was the shortest way then.
    private static let firstPlanning = 1000

    /// The maximum number of statements whose results have not been read. The server keeps these results.
    private static let maximumPending = 500

    /// Connects. Throws `tryAgainLater` if that fails, and `internalError` if libpq is missing.
    ///
    /// - Parameter address: a connection string of libpq.
    package init(_ address: String) throws {
        try PostgresLibrary.load()
        guard let handle = postgres_connect(address) else {
            throw RecordError(postgres: "out of memory", state: "53200")
        }
        guard PQstatus(handle) == 0 else {
            let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
            PQfinish(handle)
            throw Self.refused(message)
        }
        postgres_be_quiet(handle)
        self.handle = handle
        // Statements find rows by their keys, so their plans need no values, and planning again would take
        // longer than the statement. Queries are the exception.
        try execute("SET plan_cache_mode = force_generic_plan")
        // For `readAtOnce`. Other transactions of several statements name their level.
        try execute("SET default_transaction_isolation = 'repeatable read'")
        // A statement whose node has died ends soon. Servers on some systems refuse the setting.
        try? execute("SET client_connection_check_interval = '2s'")
    }

    deinit { PQfinish(handle) }

    /// Whether the connection works.
    package var isOpen: Bool { PQstatus(handle) == 0 }

    /// Whether a transaction is open, also a failed one.
    package var isInTransaction: Bool { PQtransactionStatus(handle) != 0 }

    /// The error for a failed attempt to connect. libpq has only a text for it, which may contain a piece of
    /// the password if the address is malformed.
    private static func refused(_ message: String) -> RecordError {
        if message.contains("percent-encoded") {
            return RecordError(postgres: "the address is malformed after a percent sign", state: "08001")
        }
        let isSignIn = ["authentication", "password", "pg_hba.conf"].contains { message.contains($0) }
        return RecordError(postgres: message, state: isSignIn ? "28000" : "08001")
    }

    static func lost(_ message: String, state: String = "08006") -> RecordError {
        RecordError(postgres: message, state: state)
    }

    /// Runs statements without arguments, separated by semicolons.
    package func execute(_ sql: String) throws {
        try finish()
        try interruption?.check()
        // A request with several statements is impossible in a pipeline.
        guard PQexitPipelineMode(handle) == 1, PQsendQuery(handle, sql) == 1 else { throw failed() }
        var last: Result<PostgresRows, any Error>?
        while let result = nextResult() { last = rows(of: result) }
        guard let last else { throw failed() }
        _ = try last.get()
    }

    /// Sends a statement with arguments, which are `$1` and so on in its text.
    @discardableResult
    package func send(
        _ sql: String, _ values: [PostgresValue], reuse: Reuse = .certain
    ) throws -> PostgresAnswer {
        try interruption?.check()
        if let failure { throw failure }
        let arguments = try PostgresArguments(values)
        if pending.count >= Self.maximumPending { try finish() }
        guard PQenterPipelineMode(handle) == 1 else { throw failed() }
        let name = try prepare(sql, arguments, reuse)
        let count = Int32(arguments.count)
        let isSent = arguments.withPointers { values, formats in
            guard let name else {
                return PQsendQueryParams(
                    handle, sql, count, arguments.types, values, arguments.lengths, formats, 1)
            }
            return PQsendQueryPrepared(handle, name, count, values, arguments.lengths, formats, 1)
        }
        guard isSent == 1 else { throw failed() }
        sent += 1
        let answer = PostgresAnswer(self)
        pending.append(.statement(answer))
        return answer
    }

    /// Lets the server make new plans if it is time for that.
    func renewPlans() throws {
        if sent < nextPlanning { return }
        nextPlanning = sent.multipliedReportingOverflow(by: 2).partialValue
        try send("DISCARD PLANS", [])
        // It has a snapshot, and a transaction that follows must not begin with it.
        try flush()
    }

    /// Runs a statement with arguments and returns its rows.
    package func run(
        _ sql: String, _ values: [PostgresValue], reuse: Reuse = .certain
    ) throws -> PostgresRows {
        try send(sql, values, reuse: reuse).rows()
    }

    /// Returns the name of the prepared statement with this text; nil if there is none.
    private func prepare(_ sql: String, _ arguments: PostgresArguments, _ reuse: Reuse) throws -> String? {
        let statement = Statement(sql: sql, types: arguments.types)
        if let name = prepared[statement] { return name }
        if reuse == .none || prepared.count >= Self.maximumPrepared { return nil }
        if reuse == .possible {
            guard possible < Self.maximumPossible, sql.utf8.count <= Self.longestPossible else { return nil }
            possible += 1
        }
        let name = "s\(preparations)"
        preparations += 1
        guard PQsendPrepare(handle, name, sql, Int32(arguments.count), arguments.types) == 1 else {
            throw failed()
        }
        prepared[statement] = name
        pending.append(.preparation(statement))
        return name
    }

    /// Sends the statements that libpq still buffers, without waiting for the results.
    package func flush() throws {
        if pending.isEmpty { return }
        if case .sync? = pending.last { return }
        guard PQpipelineSync(handle) == 1 else { throw failed() }
        pending.append(.sync)
    }

    /// Waits for all statements that were sent. Throws the first error since `recover()`.
    package func finish() throws {
        do {
            try flush()
            for entry in pending { receive(entry) }
        } catch {
            note(error)
        }
        pending.removeAll(keepingCapacity: true)
        if let failure { throw failure }
    }

    /// Waits for all statements that were sent, and forgets their errors, so that others can follow.
    package func recover() {
        try? finish()
        failure = nil
    }

    /// Reads the result of one request.
    private func receive(_ entry: Pending) {
        guard let first = nextResult() else {
            // The connection is lost; nothing follows.
            note(failed())
            if case .statement(let answer) = entry { answer.complete(.failure(failed())) }
            if case .preparation(let statement) = entry { prepared[statement] = nil }
            return
        }
        let result = rows(of: first)
        if case .failure(let error) = result { note(error) }
        switch entry {
        case .statement(let answer): answer.complete(result)
        case .preparation(let statement): if case .failure = result { prepared[statement] = nil }
        case .sync: return
        }
        while let surplus = nextResult() { PQclear(surplus) }
    }

    private func note(_ error: any Error) {
        if failure == nil { failure = error }
    }

    /// Waits for a result. nil after the last one of a request.
    private func nextResult() -> OpaquePointer? {
        while PQisBusy(handle) != 0, waitForInput() {}
        return PQgetResult(handle)
    }

    /// Waits for messages of the channels that this connection listens to, and calls `body` with each, until
    /// a descriptor can be read. Throws if the connection fails.
    func receiveMessages(until descriptor: Int32, _ body: (String) throws -> Void) throws {
        while true {
            while let message = PQnotifies(handle) {
                defer { PQfreemem(message) }
                try body(message.pointee.text.map { String(cString: $0) } ?? "")
            }
            var waiting = [
                pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0),
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&waiting, 2, -1) >= 0 || errno == EINTR else { throw failed() }
            if waiting[1].revents != 0 { return }
            guard PQconsumeInput(handle) == 1, isOpen else { throw failed() }
        }
    }

    /// Waits until the server has sent something, and reads it. An interrupted statement is cancelled.
    ///
    /// - Returns: false if the connection failed; the next result is then the error.
    private func waitForInput() -> Bool {
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        let isReady = poll(&socket, 1, interruption?.interval ?? -1) > 0
        if isReady { return PQconsumeInput(handle) == 1 }
        do { try interruption?.check() } catch { postgres_cancel(handle) }
        return socket.fd >= 0
    }

    /// The error of libpq itself, such as that of a lost connection.
    private func failed() -> RecordError {
        Self.lost(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
    }

    private func rows(of result: OpaquePointer) -> Result<PostgresRows, any Error> {
        let rows = PostgresRows(result)
        largestResultBytes = max(largestResultBytes, Int(PQresultMemorySize(result)))
        switch PQresultStatus(result) {
        case 1, 2, 10: return .success(rows)
        case 11: return .failure(failure ?? Self.lost("a statement was skipped"))
        default: break
        }
        let (state, primary) = (Int32(UInt8(ascii: "C")), Int32(UInt8(ascii: "M")))
        let error = RecordError(
            postgres: PQresultErrorField(result, primary).map { String(cString: $0) } ?? "",
            state: PQresultErrorField(result, state).map { String(cString: $0) } ?? "08006")
        return .failure(error)
    }
}
