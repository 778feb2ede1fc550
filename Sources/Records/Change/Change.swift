/// A record that changed, or that is gone.
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

/// Some changes, and the token that stands for having seen them.
package struct ChangesPage: Hashable, Sendable {
    package var packed: PackedChanges
    package var token: ChangeToken
    package var moreComing: Bool
    /// How many changes are to come at most, as far as is known without counting them; nil when nothing is.
    package var remaining: Int?
    /// The last batch of the device that asks of which something was done; nil when no device was named.
    package var lastBatch: ClientChange?

    package init(
        _ changes: PackedChanges, token: ChangeToken, moreComing: Bool, remaining: Int? = nil,
        lastBatch: ClientChange? = nil
    ) {
        self.packed = changes
        self.lastBatch = lastBatch
        self.token = token
        self.moreComing = moreComing
        self.remaining = remaining
    }

    package var changes: [Change] { packed.values }
}
