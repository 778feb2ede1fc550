import Records

/// The columns that feeds and queries select, in this order, and their way into a page.
enum ChangeRow {
    static let columns = "r.type, r.sequence, r.name, r.head, r.fields"

    /// How many columns come before those that a query adds.
    static let count: Int32 = 5

    /// What most records take, so that a page is seldom moved while it grows.
    static let usualBytes = 768

    static func type(_ row: SQL) -> Int64 { row.integer(0) }

    /// The head of a record with eight assets or more is longer than this.
    private static let longHead = 256

    /// Adds the change of a row and answers about how many bytes its fields have in an answer.
    static func read(_ row: SQL, type: String, into changes: inout PackedChanges) -> Int {
        let (sequence, name) = (row.integer(1), row.memoryOrNone(2))
        guard let fields = row.memory(4) else {
            changes.addDeletion(name, type: type, sequence: sequence)
            return 0
        }
        let head = row.memoryOrNone(3)
        changes.add(name, type: type, sequence: sequence, head: head, fields: fields)
        if head.count <= longHead { return fields.count }
        return fields.count + FieldBytes.addressBytes(of: RecordHead(head).slots.count)
    }
}
