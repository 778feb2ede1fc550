package import Records

/// A request for the changes of a zone since a token.
package struct ChangesRequest: Hashable, Sendable {
    package var zone: String
    /// nil requests all changes from the start.
    package var since: ChangeToken?
    /// The maximum number of changes; 0 only determines whether there are any.
    package var limit: Int
    /// A page ends early with the change that brings the total to this many bytes.
    package var bytes: Int
    /// The maximum number of rows that are read for a page of a person's shares. The page may be empty,
    /// because some rows are no changes for the person, such as deletions from before the person joined.
    package var sharedRows: Int
    /// Newest change first.
    package var isReversed: Bool
    /// The device that asks. The answer names its last batch in the zone.
    package var client: ClientID?
    /// Whether a request for the next page will have the same limits, so that a store may read it ahead.
    package var isFollowed = true

    package init(
        zone: String, since: ChangeToken? = nil, limit: Int, bytes: Int = .max,
        sharedRows: Int = Limits().sharedRowsPerPage, isReversed: Bool = false, client: ClientID? = nil
    ) {
        self.zone = zone
        self.since = since
        self.limit = limit
        self.bytes = bytes
        self.sharedRows = sharedRows
        self.isReversed = isReversed
        self.client = client
    }
}
