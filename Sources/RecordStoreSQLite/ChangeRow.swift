// Owns how a row of the record table becomes a change that passes through to an answer.

import Records

/// The columns that a feed selects, in this order, and their way into a page.
enum ChangeRow {
    static let columns = """
        r.type, r.sequence, r.created_at, r.modified_at, r.name, r.created_by, r.created_on, r.modified_by, \
        r.modified_on, r.parent, r.fields, r.asset_slots
        """

    /// What most records take, so that a page is seldom moved while it grows.
    static let usualBytes = 768

    /// Where the parts begin, in the order of `PackedChanges.Part`.
    private static let firstPart: Int32 = 4

    static func type(_ row: SQL) -> Int64 { row.integer(0) }

    /// Adds the change of a row and answers how many bytes its fields have.
    static func read(_ row: SQL, type: String, into changes: inout PackedChanges) -> Int {
        let name = firstPart + Int32(PackedChanges.Part.name.rawValue)
        if row.isNull(firstPart + Int32(PackedChanges.Part.fields.rawValue)) {
            changes.addDeletion(row.memory(name), type: type, sequence: row.integer(1))
            return 0
        }
        changes.begin(
            type: type, sequence: row.integer(1), created: Timestamp(milliseconds: row.integer(2)),
            modified: Timestamp(milliseconds: row.integer(3))
        )
        let before = changes.fieldBytes
        for part in PackedChanges.Part.allCases {
            changes.add(part, row.memory(firstPart + Int32(part.rawValue)))
        }
        changes.add(RecordRow.slots(row.optionalText(firstPart + Int32(PackedChanges.Part.allCases.count))))
        return changes.fieldBytes - before
    }
}
