import CPostgres

/// The rows that a statement returned, in PostgreSQL's binary form.
package final class PostgresRows: RandomAccessCollection {
    private let result: OpaquePointer
    package let startIndex = 0
    package let endIndex: Int

    /// Takes ownership of a result of libpq.
    init(_ result: OpaquePointer) {
        self.result = result
        endIndex = Int(PQntuples(result))
    }

    deinit { PQclear(result) }

    package subscript(position: Int) -> PostgresRow { PostgresRow(rows: self, index: Int32(position)) }

    /// The number of rows that the statement inserted, updated, deleted or returned.
    package var affected: Int {
        guard let digits = PQcmdTuples(result) else { return 0 }
        return Int(String(cString: digits)) ?? 0
    }

    /// The name of the command that was run.
    package var command: String { PQcmdStatus(result).map { String(cString: $0) } ?? "" }

    fileprivate func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(result, row, column) != 0 }

    /// The bytes of a value; empty for NULL.
    fileprivate func memory(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(result, row, column), count: Int(PQgetlength(result, row, column)))
    }
}

/// One row of a result. Columns are counted from 0.
package struct PostgresRow {
    fileprivate let rows: PostgresRows
    fileprivate let index: Int32

    package func isNull(_ column: Int32) -> Bool { rows.isNull(index, column) }

    /// An integer of 2, 4 or 8 bytes; 0 for NULL.
    package func integer(_ column: Int32) -> Int64 {
        let memory = memory(column)
        switch memory.count {
        case 8: return Int64(bigEndian: memory.loadUnaligned(as: Int64.self))
        case 4: return Int64(Int32(bigEndian: memory.loadUnaligned(as: Int32.self)))
        case 2: return Int64(Int16(bigEndian: memory.loadUnaligned(as: Int16.self)))
        default: return 0
        }
    }

    package func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

    package func real(_ column: Int32) -> Double { Double(bitPattern: UInt64(bitPattern: integer(column))) }

    package func bool(_ column: Int32) -> Bool { memory(column).first == 1 }

    package func text(_ column: Int32) -> String { String(decoding: memory(column), as: UTF8.self) }

    package func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    package func bytes(_ column: Int32) -> [UInt8] { [UInt8](memory(column)) }

    /// The bytes of a value, valid as long as the rows are; empty for NULL.
    package func memory(_ column: Int32) -> UnsafeRawBufferPointer { rows.memory(index, column) }
}
