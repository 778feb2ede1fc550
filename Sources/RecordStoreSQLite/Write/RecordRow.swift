import GRDB
import Records

/// The columns to select, in this order, to decode a record as a value.
enum RecordRow {
    static let columns = "r.id, r.name, r.type, r.sequence, r.head, r.fields"

    static func ordinal(_ row: SQL) -> Int64 { row.integer(0) }
    static func type(_ row: SQL) -> Int64 { row.integer(2) }
    static func isTombstone(_ row: SQL) -> Bool { row.isNull(5) }

    static func record(_ row: SQL, zone: String, type: String) -> StoredRecord {
        StoredRecord(
            id: RecordID(name: row.text(1), zone: ZoneID(name: zone)), type: type,
            head: head(row, 4), fields: row.bytes(5), sequence: row.integer(3)
        )
    }

    /// The head in a column. It is valid until the statement's next step.
    static func head(_ row: SQL, _ column: Int32) -> RecordHead {
        RecordHead(row.memoryOrNone(column))
    }

    /// Reads a record without its fields; nil if it is missing or deleted. The fields are the last column of
    /// a row, so SQLite can test them for NULL without reading them.
    static func head(
        of id: RecordID, in zone: Int64, _ database: Database, type: (Int64) throws -> String
    ) throws -> (stored: StoredRecord, ordinal: Int64)? {
        var row = try SQL(
            database,
            """
            SELECT id, type, sequence, head
            FROM record
            WHERE zone = ? AND name = ? AND fields IS NOT NULL
            """
        )
        row.bind(zone)
        row.bind(id.name)
        defer { row.reset() }
        guard try row.step() else { return nil }
        let stored = StoredRecord(
            id: id, type: try type(row.integer(1)), head: head(row, 3), fields: [], sequence: row.integer(2))
        return (stored, row.integer(0))
    }
}
