import Records

/// The columns to select, in this order, to add a record or tombstone to a page of changes or of query
/// results.
enum ChangeRow {
    static let columns = "r.type, r.sequence, r.name, r.head, r.fields"

    /// The number of these columns. A query adds its own after them.
    static let count: Int32 = 5

    /// About how many bytes a record takes in a page, to reserve memory before reading.
    static let typicalBytes = 768

    static func type(_ row: SQL) -> Int64 { row.integer(0) }

    /// Adds the change in a row to `changes`. Returns about how many bytes it takes in an answer.
    static func read(_ row: SQL, type: String, into changes: inout PackedChanges) -> Int {
        let (sequence, name) = (row.integer(1), row.memoryOrNone(2))
        guard let fields = row.memory(4) else {
            changes.addDeletion(name, type: type, sequence: sequence)
            return 0
        }
        let head = row.memoryOrNone(3)
        return changes.add(name, type: type, sequence: sequence, head: head, fields: fields)
    }
}
