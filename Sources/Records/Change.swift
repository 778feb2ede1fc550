// Owns what a feed of changes consists of.

/// A record that changed, or that is gone (talk 2, "Delta download").
package enum Change: Hashable, Sendable {
    case saved(StoredRecord)
    case deleted(RecordID, type: String, sequence: Int64)

    /// The number of the change in the sequence of its database.
    package var sequence: Int64 {
        switch self {
        case .saved(let record): record.sequence
        case .deleted(_, _, let sequence): sequence
        }
    }
}

extension Change {
    /// The fields that it carries; nil for a deletion.
    package var fields: FieldBytes? {
        if case .saved(let record) = self { record.fields } else { nil }
    }
}

/// Some changes, and the token that stands for having seen them.
package struct ChangesPage: Hashable, Sendable {
    package var changes: [Change]
    package var token: ChangeToken
    package var moreComing: Bool

    package init(changes: [Change], token: ChangeToken, moreComing: Bool) {
        self.changes = changes
        self.token = token
        self.moreComing = moreComing
    }

    /// The bytes of all fields in it.
    package var fieldBytes: Int { changes.reduce(0) { $0 + ($1.fields?.bytes.count ?? 0) } }
}
