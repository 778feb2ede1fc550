import PostgreSQLSupport
import Records

/// The columns to select, in this order, from `record r` and `record_type t`, to add a record or tombstone to
/// a page of changes or of query results.
enum ChangeRow {
    static let columns = "t.name, r.sequence, r.name, r.head, r.fields"

    /// The number of these columns. A query adds its own after them.
    static let count: Int32 = 5

    /// Adds the change in a row to `changes`. Returns about how many bytes it takes in an answer.
    static func read(_ row: PostgresRow, into changes: inout PackedChanges) -> Int {
        let (type, sequence, name) = (row.text(0), row.integer(1), row.memory(2))
        if row.isNull(4) {
            changes.addDeletion(name, type: type, sequence: sequence)
            return 0
        }
        return changes.add(
            name, type: type, sequence: sequence, head: row.memory(3), fields: row.memory(4))
    }
}
