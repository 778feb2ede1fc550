/// One entry of a zone's change feed: a saved record or a deletion.
package enum Change: Hashable, Sendable {
    case saved(StoredRecord)
    case deleted(RecordID, type: String, sequence: Int64)

    /// The change's number in the sequence of its database.
    package var sequence: Int64 {
        switch self {
        case .saved(let record): record.sequence
        case .deleted(_, _, let sequence): sequence
        }
    }
}

/// One page of a zone's change feed, with the token to continue from.
package struct ChangesPage: Hashable, Sendable {
    package var packed: PackedChanges
    package var token: ChangeToken
    package var moreComing: Bool
    /// An upper bound for the number of changes after this page, computed without counting them; nil if
    /// unknown.
    package var remaining: Int?
    /// The last batch that the server applied, at least in part, for the requesting device. nil if the
    /// request named no device.
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
