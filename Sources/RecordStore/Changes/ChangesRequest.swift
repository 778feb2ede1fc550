// Owns what is asked of a zone's feed of changes, and what it answers.

package import Records

/// Asks for the changes of a zone since a token (talk 2, "Delta download").
package struct ChangesRequest: Hashable, Sendable {
    package var zone: String
    /// nil asks for everything from the start.
    package var since: ChangeToken?
    package var limit: Int
    /// Newest change first.
    package var isReversed: Bool

    package init(zone: String, since: ChangeToken? = nil, limit: Int, isReversed: Bool = false) {
        self.zone = zone
        self.since = since
        self.limit = limit
        self.isReversed = isReversed
    }
}

/// A record that changed, or that is gone.
package enum Change: Hashable, Sendable {
    case saved(StoredRecord)
    case deleted(RecordID, type: String, sequence: Int64)
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
}
