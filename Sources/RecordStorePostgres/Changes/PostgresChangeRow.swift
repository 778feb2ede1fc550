import PostgreSQLSupport
import RecordStore
import Records

/// The columns to select, in this order, to add a record or tombstone to a page of changes or of query
/// results.
enum PostgresChangeRow {
    /// The columns of `record r`.
    static let columns = "r.type, r.sequence, r.name, r.head, r.fields"

    /// The columns of a row, with the fields if they have at most so many bytes. This is quicker than
    /// `enclosure` if all records are small.
    ///
    /// - Parameter bytes: the placeholder of `shortFields`. It occurs twice.
    static func columns(upTo bytes: String) -> String {
        """
        r.type, r.sequence, r.name, r.head,
            CASE WHEN octet_length(r.fields) <= \(bytes) THEN r.fields END,
            COALESCE(octet_length(r.fields) <= \(bytes), TRUE)
        """
    }

    /// The largest bytes of fields with which `count` rows fit into `bytes` bytes.
    static func shortFields(_ bytes: Int, rows count: Int) -> PostgresValue { .count(bytes / max(1, count)) }

    /// The number of the columns of a row: those of `columns`, and whether the row is complete. A query
    /// adds its own after them.
    static let count: Int32 = 6

    /// The rows that are read at once. A page may end before them because of its bytes; the rows after its
    /// end are read for nothing, but without their fields.
    static let chunk = 256

    /// Encloses a statement that selects `columns` and then `others` more, so that rows beyond a page come
    /// without their fields and other values. A row is beyond the page if the fields of the rows before it
    /// have `bytes` bytes or more together. PostgreSQL knows the length of a large value without reading it.
    /// So a page of large records takes the memory of a page, and not that of all its rows.
    ///
    /// - Parameter bytes: the placeholder, such as `?` or `$5`, of an argument that is at least 1. In the
    ///   text, it comes before the placeholders of the enclosed statement.
    static func enclosure(bytes: String, others: Int = 0) -> (before: String, after: String) {
        let names = (0..<others).map { ", other\($0)" }.joined()
        let values = (0..<others).map { ", CASE WHEN is_complete THEN other\($0) END" }.joined()
        return (
            """
            SELECT type, sequence, name, head, CASE WHEN is_complete THEN fields END, is_complete\(values)
            FROM (
                SELECT found.*, COALESCE(
                    SUM(octet_length(fields)) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0
                ) < \(bytes) AS is_complete
                FROM (

            """,
            """

                ) AS found (type, sequence, name, head, fields\(names))
            ) AS page
            """
        )
    }

    /// Whether a row has its fields, if it is no tombstone, and its other values. A page that is not full at
    /// an incomplete row goes on with a new statement.
    static func isComplete(_ row: PostgresRow) -> Bool { row.bool(5) }

    /// How many of the rows of a statement a page has taken.
    enum Taken {
        case all
        /// The page is full.
        case untilFull
        /// The next row came without its fields.
        case untilIncomplete
    }

    /// Adds rows to a page with `add`, which returns the bytes of a row, until the page is full.
    static func take(
        _ rows: PostgresRows, _ gauge: inout PageGauge, _ add: (PostgresRow) -> Int
    ) -> Taken {
        for row in rows {
            if gauge.isFull { return .untilFull }
            guard isComplete(row) else { return .untilIncomplete }
            gauge.take(bytes: add(row))
        }
        return .all
    }

    /// Adds the change in a complete row to `changes`. Returns about how many bytes it takes in an answer.
    ///
    /// - Parameter types: the names of the types by their ids.
    static func read(
        _ row: PostgresRow, types: [Int64: String], into changes: inout PackedChanges
    ) -> Int {
        let (type, sequence, name) = (types[row.integer(0)] ?? "", row.integer(1), row.memory(2))
        if row.isNull(4) {
            changes.addDeletion(name, type: type, sequence: sequence)
            return 0
        }
        return changes.add(
            name, type: type, sequence: sequence, head: row.memory(3), fields: row.memory(4))
    }
}
