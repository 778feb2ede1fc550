import CPostgres
import Foundation
import RecordStore
import RecordStorePostgres
import Records
import RecordsWire

/// A row that needs PostgreSQL. Most compare the record store with libpq, its library, which writes and reads
/// the same rows in the same tables with the same durability.
protocol PostgreSQLRow: BenchmarkRow {
    var lab: Lab { get }

    /// Measures into the report.
    func measure(_ engine: PostgreSQLSubject, _ report: inout RowReport) async throws
}

extension PostgreSQLRow {
    func run() async throws -> RowReport {
        var report = RowReport(Self.self)
        guard let address = ProcessInfo.processInfo.environment["CLOUDLET_POSTGRESQL"] else {
            throw RowSkipped("no engine; run it with: Tests/postgresql --durable COMMAND")
        }
        let subject = try PostgreSQLSubject(address)
        try await measure(subject, &report)
        await subject.engine.close()
        let settings = try RawConnection(address).texts(
            "SELECT name || '=' || setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit')")
        report.parameters += settings + ["seed \(lab.seed)"]
        return report
    }
}

/// An engine, and batches for it.
struct PostgreSQLSubject: Sendable {
    let engine: PostgresEngine
    let address: String

    init(_ address: String) throws {
        self.address = address
        engine = try PostgresEngine(address: address, process: 1)
    }

    /// The schema of the sample records, as `SampleRecord.schema` declares it.
    static let schema: Schema = {
        var type = TypeSchema(name: SampleRecord.type)
        for (name, kind) in [("guests", ScalarType.int64), ("starts", .timestamp), ("title", .string)] {
            type.fields[name] = FieldSchema(type: .scalar(kind), indexes: [.queryable, .sortable])
        }
        type.fields["parent"] = FieldSchema(type: .scalar(.reference), indexes: [.queryable])
        return Schema(types: [SampleRecord.type: type])
    }()

    /// A new database.
    func newStore() throws -> PostgresStore {
        try PostgresStore(
            in: engine, number: Int64.random(in: 1 << 40...1 << 60), newIdentity: 7, codec: FieldJSON())
    }

    /// A batch that creates records.
    func batch(_ records: ArraySlice<SampleRecord>, zone: String = ZoneID.defaultName) -> WriteBatch {
        let operations = records.map { record in
            let fields: Fields = [
                "guests": Field(.int64(Int64(record.guests))),
                "starts": Field(.timestamp(Timestamp(milliseconds: Int64(record.starts)))),
                "title": Field(.string(record.title)),
                "parent": Field(.reference(Reference(recordName: record.parent))),
            ]
            return RecordOperation(
                .create, recordName: record.name("run"), recordType: SampleRecord.type, fields: fields)
        }
        let person = "_person\(records.first?.number ?? 0)"
        return WriteBatch(
            zone: zone, operations: operations,
            stamp: Stamp(at: Timestamp(milliseconds: 1_700_000_000_000), by: person), schema: Self.schema)
    }

    /// Writes records in batches of 200.
    func fill(_ store: PostgresStore, _ records: [SampleRecord], zone: String) async throws {
        for start in stride(from: 0, to: records.count, by: 200) {
            let part = records[start..<min(start + 200, records.count)]
            let answer = try await store.apply(batch(part, zone: zone))
            try check(answer)
        }
    }

    /// Throws unless all records were saved.
    func check(_ answer: BatchAnswer) throws {
        for case .failure(_, let error) in answer.results { throw error }
    }
}

/// A connection that uses libpq directly. Its transactions name a record database, as those of the store do,
/// because the tables have row level security.
final class RawConnection {
    private let handle: OpaquePointer

    init(_ address: String) throws {
        guard let handle = PQconnectdb(address), PQstatus(handle) == 0 else {
            throw BenchmarkError("libpq cannot connect")
        }
        self.handle = handle
    }

    deinit { PQfinish(handle) }

    /// Names the record database of all later transactions.
    func use(_ database: Int64) throws { try execute("SET cloudlet.database = '\(database)'") }

    func execute(_ sql: String) throws {
        guard PQsendQuery(handle, sql) == 1 else { throw BenchmarkError("libpq cannot send") }
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            try check(result)
        }
    }

    func prepare(_ name: String, _ sql: String) throws {
        guard PQsendPrepare(handle, name, sql, 0, nil) == 1 else { throw BenchmarkError("libpq cannot send") }
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            try check(result)
        }
    }

    /// Runs a query, and returns its result with binary values.
    func query(_ sql: String) throws -> RawRows {
        guard PQsendQueryParams(handle, sql, 0, nil, nil, nil, nil, 1) == 1 else {
            throw BenchmarkError("libpq cannot send")
        }
        return try lastRows()
    }

    /// Runs a prepared statement with big-endian integers and bytes, and returns its rows.
    func run(_ name: String, _ values: [[UInt8]]) throws -> RawRows {
        let lengths = values.map { Int32($0.count) }
        let formats = [Int32](repeating: 1, count: values.count)
        let bytes = values.flatMap(\.self)
        let isSent = bytes.withUnsafeBufferPointer { memory in
            var (offset, pointers) = (0, [UnsafePointer<CChar>?]())
            memory.withMemoryRebound(to: CChar.self) { memory in
                for value in values {
                    pointers.append(memory.baseAddress?.advanced(by: offset))
                    offset += value.count
                }
            }
            return PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1)
        }
        guard isSent == 1 else { throw BenchmarkError("libpq cannot send") }
        return try lastRows()
    }

    private func lastRows() throws -> RawRows {
        var last: RawRows?
        while let result = PQgetResult(handle) {
            let rows = RawRows(result)
            try check(result)
            last = rows
        }
        guard let last else { throw BenchmarkError("libpq has no result") }
        return last
    }

    func texts(_ sql: String) throws -> [String] {
        let rows = try query(sql)
        return (0..<rows.count).map { row in
            String(decoding: UnsafeRawBufferPointer(rows.memory(row, 0)), as: UTF8.self)
        }
    }

    private func check(_ result: OpaquePointer) throws {
        if ![1, 2, 10].contains(PQresultStatus(result)) {
            throw BenchmarkError(String(cString: PQerrorMessage(handle)))
        }
    }

    // MARK: Pipelines

    /// Runs a body that sends statements, in one transaction and one round trip.
    func pipelined(_ body: () throws -> Int) throws {
        _ = PQenterPipelineMode(handle)
        var count = 2
        _ = PQsendQueryParams(handle, "BEGIN", 0, nil, nil, nil, nil, 1)
        count += try body()
        _ = PQsendQueryParams(handle, "COMMIT", 0, nil, nil, nil, nil, 1)
        guard PQpipelineSync(handle) == 1 else { throw BenchmarkError("libpq cannot send") }
        for _ in 0..<count {
            while let result = PQgetResult(handle) {
                defer { PQclear(result) }
                try check(result)
            }
        }
        PQclear(PQgetResult(handle))
        guard PQexitPipelineMode(handle) == 1 else { throw BenchmarkError("results are missing") }
    }

    /// Sends a row of another database as a row of this one.
    func send(_ name: String, _ rows: RawRows, _ row: Int, database: [UInt8]) throws {
        let width = rows.width
        var values: [UnsafePointer<CChar>?] = []
        var lengths: [Int32] = []
        for column in 0..<width {
            let memory = rows.memory(row, column)
            values.append(
                rows.isNull(row, column) ? nil : memory.baseAddress?.assumingMemoryBound(to: CChar.self))
            lengths.append(Int32(memory.count))
        }
        let formats = [Int32](repeating: 1, count: width)
        let isSent = database.withUnsafeBytes { number in
            values[0] = number.baseAddress?.assumingMemoryBound(to: CChar.self)
            return PQsendQueryPrepared(handle, name, Int32(width), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw BenchmarkError("libpq cannot send") }
    }
}

/// Rows with binary values.
// A result of libpq never changes, so several threads may read it at the same time.
final class RawRows: @unchecked Sendable {
    private let result: OpaquePointer
    let count: Int
    let width: Int

    init(_ result: OpaquePointer) {
        self.result = result
        count = Int(PQntuples(result))
        width = Int(PQnfields(result))
    }

    deinit { PQclear(result) }

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(result, Int32(row), Int32(column)) != 0 }

    func memory(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, Int32(row), Int32(column)),
            count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }
}

/// The rows that the store has written for records. `RawConnection` writes them again to another database.
struct RawRecords: Sendable {
    private struct Table: Sendable {
        let name: String
        let rows: RawRows
        let perItem: Int
    }

    private let tables: [Table]
    private let target: [UInt8]
    private let number: Int64

    /// - Parameter items: the number of records that the database has.
    init(_ connection: RawConnection, of database: Int64, items: Int) throws {
        try connection.use(database)
        let orders = [
            ("record", "id"), ("entry_integer", "record, field"), ("entry_bytes", "record, field"),
            ("entry_real", "record, field"), ("binding", "source"),
        ]
        tables = try orders.compactMap { name, order in
            let rows = try connection.query("SELECT * FROM \(name) ORDER BY \(order)")
            return rows.count < items ? nil : Table(name: name, rows: rows, perItem: rows.count / items)
        }
        number = Int64.random(in: 1 << 40...1 << 60)
        target = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// The names of the tables, each with its rows for a record.
    var summary: String { tables.map { "\($0.name) \($0.perItem)" }.joined(separator: ", ") }

    /// Prepares a connection that writes.
    func prepare(_ connection: RawConnection) throws {
        try connection.use(number)
        for table in tables {
            let places = (1...table.rows.width).map { "$\($0)" }.joined(separator: ", ")
            try connection.prepare(table.name, "INSERT INTO \(table.name) VALUES (\(places))")
        }
    }

    /// Writes the rows of records in one transaction.
    func save(_ items: Range<Int>, _ connection: RawConnection) throws {
        try connection.pipelined {
            var count = 0
            for table in tables {
                for row in items.lowerBound * table.perItem..<items.upperBound * table.perItem {
                    try connection.send(table.name, table.rows, row, database: target)
                    count += 1
                }
            }
            return count
        }
    }
}
