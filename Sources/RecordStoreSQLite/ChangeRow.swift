// Owns how a row of the record table becomes part of a page that passes through to an answer.

import Records

/// The columns that feeds and queries select, in this order, and their way into a page.
enum ChangeRow {
    static let columns = """
        r.type, r.sequence, r.created_at, r.modified_at, r.name, r.created_by, r.created_on, r.modified_by, \
        r.modified_on, r.parent, r.fields, r.asset_slots, r.zone
        """

    /// How many columns come before those that a query adds.
    static let count: Int32 = 13

    /// What most records take, so that a page is seldom moved while it grows.
    static let usualBytes = 768

    /// Where the parts begin, in the order of `PackedChanges.Part`.
    private static let firstPart: Int32 = 4
    private static let slots = count - 2

    static func type(_ row: SQL) -> Int64 { row.integer(0) }
    static func zone(_ row: SQL) -> Int64 { row.integer(count - 1) }

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
        changes.add(RecordRow.slots(row.optionalText(slots)))
        return changes.fieldBytes - before
    }
}
